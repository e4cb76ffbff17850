package io.headrace.runtime.deliver;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientsTest {
    private static final Duration GRACE = Duration.ofNanos(10);
    private static final Duration FIRST = Duration.ofNanos(100);

    private final AtomicLong clock = new AtomicLong(1000);
    private final Clients clients = new Clients(clock::get);

    @Test
    void anEngineThatNobodyComesToWaitsTheFirstGrace() {
        clock.addAndGet(100);
        assertThat(clients.deserted(GRACE, FIRST)).isFalse();
        clock.addAndGet(1);
        assertThat(clients.deserted(GRACE, FIRST)).isTrue();
    }

    @Test
    void theGraceBeginsWhenTheLastRankGoesAndARankThatComesBackEndsIt() {
        assertThat(clients.welcome("a")).isTrue();
        assertThat(clients.welcome("b")).isTrue();
        assertThat(clients.welcome("a")).isTrue();
        assertThat(clients.count()).isEqualTo(2);
        clock.addAndGet(1000);
        clients.closed("a");
        assertThat(clients.deserted(GRACE, FIRST)).isFalse();
        clients.closed("b");
        clients.closed("not a rank");
        clock.addAndGet(10);
        assertThat(clients.deserted(GRACE, FIRST)).isFalse();
        assertThat(clients.welcome("c")).isTrue();
        clock.addAndGet(1000);
        assertThat(clients.deserted(GRACE, FIRST)).isFalse();
    }

    @Test
    void afterTheEndNobodyIsWelcome() {
        assertThat(clients.welcome("a")).isTrue();
        clients.closed("a");
        clock.addAndGet(11);
        assertThat(clients.deserted(GRACE, FIRST)).isTrue();
        assertThat(clients.welcome("b")).isFalse();
        assertThat(clients.deserted(GRACE, FIRST)).isTrue();
    }

    @Test
    void aProcessIsToldFromALaterOneOfItsNumberAndFromOtherNamespaces() throws Exception {
        long pid = ProcessHandle.current().pid();
        String stat = Files.readString(Path.of("/proc/self/stat"));
        long start = Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[19]);
        long namespace = (Long) Files.getAttribute(Path.of("/proc/self/ns/pid"), "unix:ino");
        assertThat(new ClientId(pid, start, namespace).isGone()).isFalse();
        assertThat(new ClientId(pid, start + 1, namespace).isGone()).isTrue();
        assertThat(new ClientId(999_999_999, start, namespace).isGone()).isTrue();
        assertThat(new ClientId(999_999_999, start, namespace + 1).isGone()).isFalse();
        assertThat(ClientId.parse("12/34/56")).contains(new ClientId(12, 34, 56));
        assertThat(ClientId.parse("12/34")).isEmpty();
        assertThat(ClientId.parse("-1/2/3")).isEmpty();
    }

    @Test
    void theSocketFolderIsShortAndExists(@TempDir Path runtime) throws Exception {
        Path shortOne = Files.createTempDirectory("r");
        assertThat(SocketFolder.folder(Map.of("XDG_RUNTIME_DIR", shortOne.toString())))
                .isEqualTo(shortOne.resolve("headrace"));
        Files.delete(shortOne);
        Path longOne = Files.createDirectory(runtime.resolve("x".repeat(90)));
        for (Optional<String> given :
                java.util.List.of(
                        Optional.of(longOne.toString()),
                        Optional.of("/does/not/exist"),
                        Optional.<String>empty())) {
            Map<String, String> environment =
                    given.map(g -> Map.of("XDG_RUNTIME_DIR", g)).orElse(Map.of());
            assertThat(SocketFolder.folder(environment).toString()).startsWith("/tmp/headrace-");
        }
    }
}
