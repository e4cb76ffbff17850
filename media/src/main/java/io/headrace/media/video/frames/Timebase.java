package io.headrace.media.video.frames;

/** The length of a tick in seconds, as a fraction. */
public record Timebase(long numerator, long denominator) {
    public Timebase {
        if (numerator <= 0 || denominator <= 0) {
            throw new IllegalArgumentException(
                    "Tick of %d/%d seconds".formatted(numerator, denominator));
        }
    }

    /**
     * Seconds, rounded once: a time that has a short decimal form compares equal to its literal (27 ticks of 1/30 are 0.9) as long as
     * the ticks times the numerator stay below 2^53.
     */
    public double seconds(long ticks) {
        return (double) ticks * numerator / denominator;
    }
}
