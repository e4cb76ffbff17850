package io.headrace.runtime.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.runtime.deliver.report.JobHistory;
import io.headrace.runtime.deliver.slot.SlotPool;
import io.headrace.runtime.deliver.slot.SlotSettings;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DeliveryServerTest {
    private static final String TOKEN = "a-token-of-24-characters";

    private Path folder = Path.of("");
    private Path socket = Path.of("");
    private final List<AutoCloseable> opened = new ArrayList<>();

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createTempDirectory("hr");
        socket = folder.resolve("job.sock");
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : opened.reversed()) {
            each.close();
        }
        try (var left = Files.list(folder)) {
            assertThat(left.toList()).isEmpty();
        }
        Files.delete(folder);
    }

    /** One sample a step, decoded by worker 1 in two milliseconds; the rank of step 1 was late. */
    private static final class History implements JobHistory {
        @Override
        public List<SampleTime> ofStep(long step) {
            return List.of(new SampleTime(1, 0, 10 + step, 2_000_000));
        }

        @Override
        public List<DecodeSpan> spans() {
            return List.of(
                    new DecodeSpan(0, 1, 0, 10, 1, 5_000_000, 7_000_000),
                    new DecodeSpan(1, 1, 0, 11, 1, 7_000_000, 9_000_000));
        }

        @Override
        public List<LateSample> late() {
            return List.of(new LateSample(1, 1, "web:11", "a.tar", 2_000_000));
        }
    }

    private record Running(DeliveryServer server, PatternStore store, SlotPool pool) {}

    private Running start(PatternStore.Options options, DeliverySettings settings)
            throws IOException {
        SlotPool pool = SlotPool.open(SlotSettings.defaults("test").withLimitBytes(16 << 20));
        opened.add(pool);
        PatternStore store = new PatternStore(pool, options);
        DeliveryServer server =
                DeliveryServer.start(
                        settings,
                        store,
                        pool,
                        new PrometheusRegistry(),
                        new History(),
                        () -> store.stop("deserted"));
        opened.add(server);
        return new Running(server, store, pool);
    }

    private Running start(int ranks) throws IOException {
        return start(PatternStore.Options.small(ranks), DeliverySettings.local(socket));
    }

    private RawClient client() throws IOException {
        RawClient client = new RawClient(socket);
        opened.add(client);
        return client;
    }

    private static void eventually(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    @Test
    void aStepAskedTwiceIsTheSameSlotUnderTheSameLease() throws Exception {
        start(2);
        RawClient rank = client();
        RawClient.Answer first = rank.get("/v1/ranks/1/steps/5");
        RawClient.Answer again = rank.get("/v1/ranks/1/steps/5");
        assertThat(first.status()).isEqualTo(200);
        assertThat(again.text()).isEqualTo(first.text());
        RawClient.Answer body = rank.get("/v1/ranks/1/steps/5", "Accept: application/octet-stream");
        byte[] mapped = Files.readAllBytes(Path.of(first.string("path")));
        assertThat(body.body()).isEqualTo(ByteBuffer.wrap(mapped, 0, body.body().remaining()));
        assertThat(body.headers()).contains("Headrace-Microbatches: 0+");
    }

    @Test
    void theNextRequestReleasesTheLastLease() throws Exception {
        Running running = start(1);
        RawClient rank = client();
        long lease = rank.get("/v1/ranks/0/steps/0").number("lease");
        RawClient.Answer next =
                rank.get(
                        "/v1/ranks/0/steps/1",
                        "Headrace-Release: " + lease,
                        "Headrace-Compute-Nanos: 123456");
        assertThat(next.number("lease")).isNotEqualTo(lease);
        assertThat(running.store().consumedSteps()).isEqualTo(1);
        assertThat(running.server().openLeases()).isEqualTo(1);
        assertThat(rank.get("/v1/status").text())
                .contains("\"compute_nanos\":123456", "\"delivered\":1");
        assertThat(rank.get("/v1/steps/0/costs").text())
                .contains(
                        "\"step\":0",
                        "{\"rank\":0,\"step\":0,\"asked_nanos\":",
                        "\"compute_nanos\":123456}")
                .contains("{\"rank\":1,\"source\":0,\"index\":10,\"decode_nanos\":2000000}");
        assertThat(rank.get("/v1/steps/1/costs").text()).contains("\"compute_nanos\":0}");
        assertThat(rank.get("/v1/steps/2/costs").text()).contains("\"ranks\":[]");
        assertThat(rank.get("/v1/trace?steps=1").text())
                .contains("\"step\":1,\"asked_nanos\":", "\"start_nanos\":7000000")
                .doesNotContain("\"start_nanos\":5000000");
        assertThat(rank.get("/v1/status").text())
                .contains(
                        "\"late\":[{\"rank\":1,\"step\":1,\"sample\":\"web:11\",\"file\":\"a.tar\"");
    }

    @Test
    void aStepThatIsAskedForAheadIsDeliveredWhenTheRankTakesIt() throws Exception {
        start(1);
        RawClient rank = client();
        rank.get("/v1/ranks/0/steps/0");
        RawClient.Answer ahead = rank.get("/v1/ranks/0/steps/1", "Headrace-Ahead: 1");
        assertThat(ahead.status()).isEqualTo(200);
        assertThat(rank.get("/v1/status").text()).contains("\"delivered\":0", "\"requests\":1");
        rank.get(
                "/v1/ranks/0/steps/2",
                "Headrace-Ahead: 1",
                "Headrace-Taken: 1",
                "Headrace-Waited-Nanos: 5000000");
        assertThat(rank.get("/v1/status").text())
                .contains("\"delivered\":1", "\"requests\":2", "\"waits\":");
        assertThat(rank.get("/v1/steps/1/costs").text()).containsPattern("\"wait_nanos\":5\\d{6},");
        assertThat(rank.get("/v1/steps/2/costs").text()).contains("\"ranks\":[]");
    }

    @Test
    void aWaitThatBeganBeforeTheRequestCounts() throws Exception {
        start(1);
        RawClient rank = client();
        rank.get("/v1/ranks/0/steps/0", "Headrace-Waited-Nanos: 7000000000");
        assertThat(rank.get("/v1/steps/0/costs").text()).containsPattern("\"wait_nanos\":7\\d{9},");
    }

    @Test
    void aLeaseIsReleasedOnce() throws Exception {
        Running running = start(2);
        RawClient rank = client();
        long lease = rank.get("/v1/ranks/0/steps/0").number("lease");
        assertThat(rank.ask("DELETE", "/v1/ranks/1/leases/" + lease, "").status()).isEqualTo(404);
        assertThat(rank.ask("DELETE", "/v1/ranks/0/leases/" + lease, "").status()).isEqualTo(200);
        assertThat(rank.ask("DELETE", "/v1/ranks/0/leases/" + lease, "").status()).isEqualTo(404);
        assertThat(running.store().consumedSteps()).isEqualTo(1);
        assertThat(running.pool().slotsInUse()).isZero();
    }

    @Test
    void aDeadRanksLeaseIsTakenBackAndItsStepKept() throws Exception {
        Running running = start(1);
        RawClient.Answer first;
        try (RawClient rank = new RawClient(socket)) {
            first = rank.get("/v1/ranks/0/steps/3");
            assertThat(running.server().openLeases()).isEqualTo(1);
        }
        eventually(() -> running.server().openLeases() == 0);
        assertThat(running.store().consumedSteps()).isZero();
        RawClient.Answer again = client().get("/v1/ranks/0/steps/3");
        assertThat(again.number("region")).isEqualTo(first.number("region"));
        assertThat(again.number("lease")).isNotEqualTo(first.number("lease"));
    }

    @Test
    void theLeaseOfADeadProcessIsTakenBackAlthoughItsConnectionIsOpen() throws Exception {
        Running running = start(1);
        Process process = new ProcessBuilder("sleep", "60").start();
        String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
        String start = stat.substring(stat.lastIndexOf(')') + 2).split(" ")[19];
        Object namespace = Files.getAttribute(Path.of("/proc/self/ns/pid"), "unix:ino");
        client().get(
                        "/v1/ranks/0/steps/0",
                        "Headrace-Client: %d/%s/%s".formatted(process.pid(), start, namespace));
        TimeUnit.MILLISECONDS.sleep(500);
        assertThat(running.server().openLeases()).isEqualTo(1);
        process.destroyForcibly().waitFor();
        eventually(() -> running.server().openLeases() == 0);
    }

    @Test
    void aWaitIsBoundedAndSaysWhatFor() throws Exception {
        start(
                new PatternStore.Options(
                        "hang", 1, 1, 1, -1, new PatternStore.Faults(-1, 0, false)),
                DeliverySettings.local(socket));
        RawClient.Answer answer = client().get("/v1/ranks/0/steps/0", "Headrace-Wait-Millis: 20");
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.text())
                .contains("\"stage\":\"decoding\"", "clips/000042", "since_epoch_millis");
    }

    @Test
    void theEndOfThePassIsToldAsSuch() throws Exception {
        start(
                new PatternStore.Options("end", 1, 1, 1, 2, new PatternStore.Faults(-1, -1, false)),
                DeliverySettings.local(socket));
        RawClient.Answer answer = client().get("/v1/ranks/0/steps/2");
        assertThat(answer.status()).isEqualTo(410);
        assertThat(answer.text()).isEqualTo("{\"end\":{\"steps\":2}}");
    }

    @Test
    void aStoppedJobTellsTheWholeMessage() throws Exception {
        start(
                new PatternStore.Options(
                        "fail", 1, 1, 1, -1, new PatternStore.Faults(1, -1, false)),
                DeliverySettings.local(socket));
        RawClient.Answer answer = client().get("/v1/ranks/0/steps/1");
        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.text()).contains("web-000001.tar", "at most 100 are allowed");
    }

    @Test
    void wrongRequestsAreNamed() throws Exception {
        start(2);
        RawClient rank = client();
        assertThat(rank.get("/v1/ranks/2/steps/0").text()).contains("Rank 2 of a job of 2 ranks");
        assertThat(rank.get("/v1/nothing").status()).isEqualTo(404);
        assertThat(rank.get("/v1/state?step=x").text()).contains("step is no number");
        assertThat(rank.ask("POST", "/v1/state", "{}").text()).contains("of another recipe");
        assertThat(rank.get("/v1/ranks/0/steps/0", "Headrace-Wait-Millis: soon").status())
                .isEqualTo(400);
    }

    @Test
    void jobStateStatusAndMetricsAreServed() throws Exception {
        start(2);
        RawClient rank = client();
        assertThat(rank.get("/v1/job").text()).contains("\"ranks\":2", "\"steps\":-1");
        String state = rank.get("/v1/state?step=7").text();
        assertThat(rank.ask("POST", "/v1/state", state).text()).isEqualTo("{\"step\":7}");
        rank.get("/v1/ranks/0/steps/7");
        assertThat(rank.get("/v1/status").text()).contains("\"ready_ahead\":1", "\"in_use\":1");
        assertThat(rank.get("/metrics").text())
                .contains(
                        "headrace_input_wait_seconds_count{rank=\"0\"} 1",
                        "headrace_leases_open 1.0");
    }

    @Test
    void tcpNeedsTheTokenAndCarriesTheSameBytes() throws Exception {
        Running running =
                start(
                        PatternStore.Options.small(1),
                        DeliverySettings.local(socket).withTcp("127.0.0.1", 0, TOKEN));
        URI step =
                URI.create(
                        "http://127.0.0.1:" + running.server().tcpPort() + "/v1/ranks/0/steps/4");
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(step).header("Accept", "application/octet-stream");
            assertThat(
                            http.send(request.build(), HttpResponse.BodyHandlers.ofString())
                                    .statusCode())
                    .isEqualTo(401);
            HttpResponse<byte[]> body =
                    http.send(
                            request.header("Authorization", "Bearer " + TOKEN).build(),
                            HttpResponse.BodyHandlers.ofByteArray());
            assertThat(ByteBuffer.wrap(body.body()))
                    .isEqualTo(
                            client().get("/v1/ranks/0/steps/4", "Accept: application/octet-stream")
                                    .body());
            HttpRequest handle =
                    HttpRequest.newBuilder(step).header("Authorization", "Bearer " + TOKEN).build();
            assertThat(http.send(handle, HttpResponse.BodyHandlers.ofString()).statusCode())
                    .isEqualTo(406);
        }
    }

    @Test
    void manyRanksAtOnceEachGetTheirOwnSteps() throws Exception {
        Running running = start(8);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int r = 0; r < 8; r++) {
                int rank = r;
                all.add(threads.submit(() -> readSteps(rank)));
            }
            for (Future<?> each : all) {
                each.get();
            }
        }
        eventually(() -> running.server().openLeases() == 0);
        assertThat(running.store().consumedSteps()).isEqualTo(8 * 49);
        assertThat(running.pool().slotsInUse() + running.pool().slotsFree())
                .isLessThanOrEqualTo(16);
    }

    private @org.jspecify.annotations.Nullable Object readSteps(int rank) throws IOException {
        try (RawClient client = new RawClient(socket)) {
            long lease = 0;
            for (int step = 0; step < 50; step++) {
                RawClient.Answer handle =
                        client.get(
                                "/v1/ranks/%d/steps/%d".formatted(rank, step),
                                "Headrace-Release: " + lease);
                lease = handle.number("lease");
                byte[] slot = Files.readAllBytes(Path.of(handle.string("path")));
                long header = ByteBuffer.wrap(slot).order(ByteOrder.LITTLE_ENDIAN).getLong(0);
                long id =
                        ByteBuffer.wrap(slot)
                                .order(ByteOrder.LITTLE_ENDIAN)
                                .getLong((int) header + 8);
                assertThat(id).isEqualTo(PatternStore.id(rank, step, 0, 0));
            }
        }
        return null;
    }

    @Test
    void theEngineIsToldWhenItsLastRankIsGone() throws Exception {
        Running running =
                start(
                        PatternStore.Options.small(1),
                        DeliverySettings.local(socket).withClientGrace(Duration.ofMillis(50)));
        CountDownLatch stopped = new CountDownLatch(1);
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                running.store().awaitStop();
                                stopped.countDown();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        });
        client().get("/v1/job");
        RawClient rank = new RawClient(socket);
        rank.get("/v1/job", "Headrace-Client: 1/1/1");
        TimeUnit.MILLISECONDS.sleep(600);
        assertThat(stopped.getCount()).isEqualTo(1);
        rank.close();
        assertThat(stopped.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aSocketOfADeadEngineIsReplacedAndThatOfALivingOneIsNot() throws Exception {
        java.nio.channels.ServerSocketChannel dead =
                java.nio.channels.ServerSocketChannel.open(java.net.StandardProtocolFamily.UNIX);
        dead.bind(java.net.UnixDomainSocketAddress.of(socket));
        dead.close();
        Running running = start(1);
        assertThat(client().get("/v1/job").status()).isEqualTo(200);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                .isEqualTo("rw-------");
        assertThatThrownBy(
                        () ->
                                DeliveryServer.start(
                                        DeliverySettings.local(socket),
                                        running.store(),
                                        running.pool(),
                                        new PrometheusRegistry(),
                                        JobHistory.NONE,
                                        () -> {}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("listens on " + socket + " already");
    }

    @Test
    void aFolderOpenToOthersAndALongPathAreRefused() throws Exception {
        Path open = Files.createDirectory(folder.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThatThrownBy(() -> SocketFolder.prepare(open.resolve("a.sock")))
                .hasMessageContaining(open.toString())
                .hasMessageContaining("mode rwxr-xr-x");
        Files.delete(open);
        assertThatThrownBy(() -> SocketFolder.prepare(folder.resolve("x".repeat(120) + ".sock")))
                .hasMessageContaining("at most 99 are allowed");
    }
}
