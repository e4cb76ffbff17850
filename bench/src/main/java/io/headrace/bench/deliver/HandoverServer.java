package io.headrace.bench.deliver;

import io.headrace.engine.unit.Dtype;
import io.headrace.runtime.deliver.DeliveryServer;
import io.headrace.runtime.deliver.DeliverySettings;
import io.headrace.runtime.deliver.StepAnswer;
import io.headrace.runtime.deliver.StepStore;
import io.headrace.runtime.deliver.report.JobHistory;
import io.headrace.runtime.deliver.report.JobReport;
import io.headrace.runtime.deliver.report.StoreStatus;
import io.headrace.runtime.deliver.report.WaitReport;
import io.headrace.runtime.deliver.slot.Slot;
import io.headrace.runtime.deliver.slot.SlotLayout;
import io.headrace.runtime.deliver.slot.SlotPool;
import io.headrace.runtime.deliver.slot.SlotSettings;
import io.headrace.runtime.deliver.slot.TensorSpec;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;

/**
 * The real delivery server over slots that are always ready: what is left is the hand-over alone. Step k is slot k modulo their number,
 * as a job that reuses its slots has it. Arguments: socket, payload bytes of a step, number of slots.
 */
public final class HandoverServer implements StepStore {
    private static final int TEXT_LENGTH = 2048;
    private static final int PATCH_ELEMENTS = 1176;

    private final List<Slot> slots = new ArrayList<>();
    private final CountDownLatch stopped = new CountDownLatch(1);

    private HandoverServer(SlotPool pool, long payloadBytes, int count)
            throws InterruptedException {
        long patches = Math.max(1, payloadBytes / (PATCH_ELEMENTS * Float.BYTES));
        List<TensorSpec> specs =
                List.of(
                        TensorSpec.of("pixel_values", Dtype.FLOAT32, patches, PATCH_ELEMENTS),
                        TensorSpec.of("image_grid_thw", Dtype.INT64, 8, 3),
                        TensorSpec.of("input_ids", Dtype.INT64, 1, TEXT_LENGTH),
                        TensorSpec.of("labels", Dtype.INT64, 1, TEXT_LENGTH),
                        TensorSpec.of("position_ids", Dtype.INT64, 3, 1, TEXT_LENGTH),
                        TensorSpec.of("sample_valid", Dtype.UINT8, 8));
        SlotLayout layout = SlotLayout.of(List.of(specs));
        for (int i = 0; i < count; i++) {
            Slot slot = pool.begin(layout, 0, i, Duration.ofSeconds(10));
            slot.tensor(0, "pixel_values").fill((byte) i);
            slot.commit();
            slots.add(slot);
        }
    }

    public static void main(String[] args) throws Exception {
        long payloadBytes = Long.parseLong(args[1]);
        int count = Integer.parseInt(args[2]);
        SlotSettings settings =
                SlotSettings.defaults("handover")
                        .withLimitBytes((payloadBytes + (1 << 20)) * 2 * count);
        try (SlotPool pool = SlotPool.open(settings)) {
            HandoverServer store = new HandoverServer(pool, payloadBytes, count);
            try (DeliveryServer server =
                    DeliveryServer.start(
                            DeliverySettings.local(Path.of(args[0])),
                            store,
                            pool,
                            new PrometheusRegistry(),
                            JobHistory.NONE,
                            () -> {})) {
                System.out.println("ready " + server.socket());
                store.stopped.await();
            }
        }
    }

    @Override
    public CompletionStage<StepAnswer> step(int rank, long step) {
        Slot slot = slots.get((int) (step % slots.size()));
        return CompletableFuture.completedFuture(new StepAnswer.Ready(slot));
    }

    @Override
    public CompletionStage<StepAnswer> ahead(int rank, long step) {
        return step(rank, step);
    }

    @Override
    public void delivered(int rank, long step, long waitNanos, boolean ahead) {}

    @Override
    public void consumed(int rank, long step, OptionalLong computeNanos, OptionalLong ownNanos) {}

    @Override
    public WaitReport waiting(int rank, long step) {
        return new WaitReport(rank, step, "", "", "", 0);
    }

    @Override
    public JobReport job() {
        return new JobReport("handover", "none", "none", 1, 1, -1, 0, 5000, List.of());
    }

    @Override
    public String checkpoint(long step) {
        return "{\"step\":" + step + "}";
    }

    @Override
    public long restore(String checkpoint) {
        return 0;
    }

    @Override
    public StoreStatus status() {
        return new StoreStatus("running", 0, List.of(slots.size()), Map.of());
    }

    @Override
    public void stop(String reason) {
        stopped.countDown();
    }
}
