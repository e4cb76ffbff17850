package io.headrace.runtime.prepare;

import io.headrace.engine.index.SkipSummary;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Shows how far a run has come: on a terminal a bar that is drawn again with rate and time left, elsewhere plain lines now and then.
 * At the end of a source it says what was left out, by reason, with the first names. Thread-safe.
 */
public final class ProgressLine implements PrepareProgress {

    private static final long REDRAW_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long PLAIN_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final int BAR_CELLS = 24;
    private static final double MEGABYTE = 1e6;
    private static final double NANOS_A_SECOND = 1e9;

    private final PrintStream out;
    private final boolean terminal;
    private final LongSupplier nanoClock;
    private String source = "";
    private long totalBytes;
    private long doneBytes;
    private long samples;
    private long startNanos;
    private long drawnNanos;
    private int drawnLength;

    /**
     * @param terminal whether a line may be drawn over
     */
    public ProgressLine(PrintStream out, boolean terminal, LongSupplier nanoClock) {
        this.out = out;
        this.terminal = terminal;
        this.nanoClock = nanoClock;
    }

    @Override
    public synchronized void begin(String source, int shards, int shardsKnown, long bytes) {
        this.source = source;
        totalBytes = bytes;
        doneBytes = 0;
        samples = 0;
        startNanos = nanoClock.getAsLong();
        drawnNanos = startNanos;
        String known = shardsKnown == 0 ? "" : ", %d known".formatted(shardsKnown);
        out.printf(
                Locale.ROOT,
                "%s: %d %s%s, %s to look at%n",
                source,
                shards,
                shards == 1 ? "shard" : "shards",
                known,
                megabytes(bytes));
    }

    @Override
    public synchronized void advance(long shardBytes, long samples) {
        doneBytes += shardBytes;
        this.samples += samples;
        long now = nanoClock.getAsLong();
        if (now - drawnNanos >= (terminal ? REDRAW_NANOS : PLAIN_NANOS)) {
            drawnNanos = now;
            draw(line(now));
        }
    }

    private String line(long now) {
        double seconds = Math.max(1e-9, (now - startNanos) / NANOS_A_SECOND);
        double share = totalBytes == 0 ? 1 : Math.min(1, (double) doneBytes / totalBytes);
        double left = share == 0 ? 0 : seconds / share - seconds;
        int cells = (int) (share * BAR_CELLS);
        String bar = "[" + "#".repeat(cells) + ".".repeat(BAR_CELLS - cells) + "]";
        return "%s %s %3.0f%%  %,d samples  %,.0f samples/s  %s/s  %s left"
                .formatted(
                        source,
                        bar,
                        100 * share,
                        samples,
                        samples / seconds,
                        megabytes((long) (doneBytes / seconds)),
                        duration(left));
    }

    private void draw(String line) {
        if (terminal) {
            out.print("\r" + line + " ".repeat(Math.max(0, drawnLength - line.length())));
            out.flush();
            drawnLength = line.length();
        } else {
            out.println(line);
        }
    }

    @Override
    public synchronized void end(SourceReport report) {
        if (terminal && drawnLength > 0) {
            out.print("\r" + " ".repeat(drawnLength) + "\r");
            drawnLength = 0;
        }
        double seconds = report.nanos() / NANOS_A_SECOND;
        out.printf(
                Locale.ROOT,
                "%s: %,d samples in %d shards, %d scanned in %.2f s -> %s%n",
                report.source(),
                report.samples(),
                report.shards(),
                report.shardsScanned(),
                seconds,
                report.index());
        for (SkipSummary.Entry entry : report.skips().entries()) {
            out.printf(Locale.ROOT, "  left out %,d: %s%n", entry.count(), entry.reason());
            entry.names().forEach(name -> out.printf("    %s%n", name));
            if (entry.count() > entry.names().size() && !entry.names().isEmpty()) {
                out.println("    ...");
            }
        }
        out.flush();
    }

    private static String megabytes(long bytes) {
        return "%,.1f MB".formatted(bytes / MEGABYTE);
    }

    private static String duration(double seconds) {
        long whole = Math.round(seconds);
        return whole < 60
                ? whole + " s"
                : whole < 3600
                        ? "%d min %02d s".formatted(whole / 60, whole % 60)
                        : "%d h %02d min".formatted(whole / 3600, whole / 60 % 60);
    }
}
