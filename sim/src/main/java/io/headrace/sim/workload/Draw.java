package io.headrace.sim.workload;

/** Random values of one sample, the same for the same seed and index (SplitMix64: Steele, Lea and Flood, OOPSLA 2014). */
final class Draw {

    private static final long GAMMA = 0x9E3779B97F4A7C15L;

    private long state;

    Draw(long seed, long index) {
        this.state = mix(seed + GAMMA * (index + 1));
    }

    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** Uniform in [0, 1). */
    double uniform() {
        state += GAMMA;
        return (mix(state) >>> 11) * 0x1p-53;
    }

    double uniform(double from, double to) {
        return from + (to - from) * uniform();
    }

    /** Normal with mean 0 and deviation 1 (Box and Muller 1958). */
    double normal() {
        return Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
    }

    double logNormal(double median, double sigma) {
        return median * Math.exp(sigma * normal());
    }

    /** Number of failures before the first success, with so many on average. */
    int geometric(double mean) {
        return (int) Math.floor(Math.log(1 - uniform()) / Math.log(mean / (1 + mean)));
    }

    boolean chance(double probability) {
        return uniform() < probability;
    }
}
