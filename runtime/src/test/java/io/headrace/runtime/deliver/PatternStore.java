package io.headrace.runtime.deliver;

import io.headrace.engine.unit.Dtype;
import io.headrace.runtime.deliver.report.JobReport;
import io.headrace.runtime.deliver.report.StoreStatus;
import io.headrace.runtime.deliver.report.WaitReport;
import io.headrace.runtime.deliver.report.WireTable;
import io.headrace.runtime.deliver.slot.Slot;
import io.headrace.runtime.deliver.slot.SlotLayout;
import io.headrace.runtime.deliver.slot.SlotPool;
import io.headrace.runtime.deliver.slot.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * A job whose every value follows from rank, step, microbatch and place: the batches of the delivery tests. A step is made when it is
 * first asked for; {@code failAt} fails, {@code hangAt} never becomes ready.
 */
final class PatternStore implements StepStore {
    static final int LENGTH = 8;
    static final int PIXELS = 3 * 4 * 4;

    private final SlotPool pool;
    private final Options options;
    private final Map<Key, CompletableFuture<StepAnswer>> made = new ConcurrentHashMap<>();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final AtomicLong consumed = new AtomicLong();
    private volatile long nextStep;

    private record Key(int rank, long step) {}

    /** What the job looks like; steps -1 for no end, failAt and hangAt -1 for never. */
    record Options(
            String job, int ranks, int microbatches, int samples, long steps, Faults faults) {
        static Options small(int ranks) {
            return new Options("pattern", ranks, 2, 3, -1, new Faults(-1, -1, false));
        }
    }

    /** What goes wrong, and whether pixels are levels. */
    record Faults(long failAt, long hangAt, boolean levels) {}

    PatternStore(SlotPool pool, Options options) {
        this.pool = pool;
        this.options = options;
    }

    @Override
    public CompletionStage<StepAnswer> step(int rank, long step) {
        if (options.steps() >= 0 && step >= options.steps()) {
            return CompletableFuture.completedFuture(new StepAnswer.End(options.steps()));
        }
        made.forEach(
                (key, answer) -> {
                    if (key.rank() == rank && key.step() != step) {
                        retire(key, answer);
                    }
                });
        return made.computeIfAbsent(new Key(rank, step), this::make);
    }

    @Override
    public CompletionStage<StepAnswer> ahead(int rank, long step) {
        return options.steps() >= 0 && step >= options.steps()
                ? step(rank, step)
                : made.computeIfAbsent(new Key(rank, step), this::make);
    }

    private void retire(Key key, CompletableFuture<StepAnswer> answer) {
        if (answer.isDone() && !answer.isCompletedExceptionally() && made.remove(key, answer)) {
            switch (answer.join()) {
                case StepAnswer.Ready ready -> ready.slot().retire();
                case StepAnswer.End _, StepAnswer.NotYet _ -> {}
            }
        }
    }

    private CompletableFuture<StepAnswer> make(Key key) {
        CompletableFuture<StepAnswer> answer = new CompletableFuture<>();
        if (key.step() == options.faults().hangAt()) {
            return answer;
        }
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                if (key.step() == options.faults().failAt()) {
                                    throw new IllegalStateException(
                                            "web/000017.jpg in web-000001.tar: not a picture; 100 samples in a row failed, at most 100 are allowed");
                                }
                                answer.complete(new StepAnswer.Ready(fill(key)));
                            } catch (InterruptedException | RuntimeException e) {
                                answer.completeExceptionally(e);
                            }
                        });
        return answer;
    }

    private Slot fill(Key key) throws InterruptedException {
        Slot slot = pool.begin(layout(options), key.rank(), key.step(), Duration.ofSeconds(10));
        for (int m = 0; m < options.microbatches(); m++) {
            MemorySegment ids = slot.tensor(m, "input_ids");
            for (int i = 0; i < options.samples() * LENGTH; i++) {
                ids.setAtIndex(
                        ValueLayout.JAVA_LONG_UNALIGNED, i, id(key.rank(), key.step(), m, i));
            }
            fillPixels(slot.tensor(m, "pixel_values"), key, m);
            MemorySegment half = slot.tensor(m, "half");
            for (int i = 0; i < options.samples(); i++) {
                int bits = Float.floatToIntBits((float) (key.step() + i)) >>> 16;
                half.setAtIndex(ValueLayout.JAVA_SHORT_UNALIGNED, i, (short) bits);
            }
            slot.tensor(m, "sample_valid").fill((byte) 1);
            slot.tensor(m, "sample_valid").set(ValueLayout.JAVA_BYTE, 0, (byte) 0);
        }
        slot.commit();
        return slot;
    }

    private void fillPixels(MemorySegment pixels, Key key, int microbatch) {
        for (int i = 0; i < options.samples() * PIXELS; i++) {
            int level = level(key.rank(), key.step(), microbatch, i);
            if (options.faults().levels()) {
                pixels.set(ValueLayout.JAVA_BYTE, i, (byte) level);
            } else {
                boolean masked = i < PIXELS;
                float value = masked ? 0 : table().get(i / 16 % 3).get(level);
                pixels.setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, i, value);
            }
        }
    }

    static long id(int rank, long step, int microbatch, int i) {
        return step * 1_000_000 + rank * 10_000L + microbatch * 1000L + i;
    }

    static int level(int rank, long step, int microbatch, int i) {
        return (int) ((step * 7 + rank * 5L + microbatch * 3L + i) % 256);
    }

    static SlotLayout layout(Options options) {
        long samples = options.samples();
        Dtype pixels = options.faults().levels() ? Dtype.UINT8 : Dtype.FLOAT32;
        List<TensorSpec> specs =
                List.of(
                        TensorSpec.of("pixel_values", pixels, samples, 3, 4, 4),
                        TensorSpec.of("input_ids", Dtype.INT64, samples, LENGTH),
                        TensorSpec.of("sample_valid", Dtype.UINT8, samples),
                        TensorSpec.of("half", Dtype.BFLOAT16, samples));
        return SlotLayout.of(
                IntStream.range(0, options.microbatches()).mapToObj(m -> specs).toList());
    }

    static List<List<Float>> table() {
        List<List<Float>> table = new ArrayList<>();
        for (int c = 0; c < 3; c++) {
            List<Float> channel = new ArrayList<>();
            for (int level = 0; level < 256; level++) {
                channel.add((level / 255f - 0.48f - c * 0.01f) / (0.26f + c * 0.003f));
            }
            table.add(channel);
        }
        return table;
    }

    @Override
    public void delivered(int rank, long step, long waitNanos, boolean ahead) {}

    @Override
    public void consumed(int rank, long step, OptionalLong computeNanos, OptionalLong ownNanos) {
        consumed.incrementAndGet();
        Key key = new Key(rank, step);
        CompletableFuture<StepAnswer> answer = made.get(key);
        if (answer != null) {
            retire(key, answer);
        }
    }

    long consumedSteps() {
        return consumed.get();
    }

    @Override
    public WaitReport waiting(int rank, long step) {
        return new WaitReport(
                rank,
                step,
                "decoding",
                "clips/000042",
                "clips-000003.tar:000042.jpg",
                1_700_000_000_000L);
    }

    @Override
    public JobReport job() {
        List<WireTable> wire =
                options.faults().levels()
                        ? List.of(
                                new WireTable("pixel_values", 16, table(), List.of("sample_valid")))
                        : List.of();
        return new JobReport(
                options.job(),
                "recipe.yaml",
                "0123456789abcdef",
                options.ranks(),
                options.microbatches(),
                options.steps(),
                nextStep,
                200,
                wire);
    }

    @Override
    public String checkpoint(long step) {
        return "{\"version\":1,\"fingerprint\":\"0123456789abcdef\",\"step\":%d}".formatted(step);
    }

    @Override
    public long restore(String checkpoint) {
        if (!checkpoint.contains("0123456789abcdef")) {
            throw new IllegalArgumentException("The checkpoint is of another recipe");
        }
        nextStep = Long.parseLong(checkpoint.replaceAll("(?s).*\"step\"\\D*(\\d+).*", "$1"));
        return nextStep;
    }

    @Override
    public StoreStatus status() {
        List<Integer> ahead = IntStream.range(0, options.ranks()).mapToObj(r -> ready(r)).toList();
        return new StoreStatus("running", 0, ahead, Map.of("decoded_samples", 1.0));
    }

    private int ready(int rank) {
        return (int)
                made.entrySet().stream()
                        .filter(e -> e.getKey().rank() == rank && e.getValue().isDone())
                        .count();
    }

    @Override
    public void stop(String reason) {
        stopped.countDown();
    }

    void awaitStop() throws InterruptedException {
        stopped.await();
    }
}
