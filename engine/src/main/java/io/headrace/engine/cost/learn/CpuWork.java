package io.headrace.engine.cost.learn;

/**
 * CPU work of one part, as its descriptor tells.
 *
 * @param units pixels decoded over all frames, samples of sound, or tokens of text
 * @param payloadBytes encoded bytes
 * @param outputs pixels or values of the tensor that is written
 */
public record CpuWork(CpuKey key, double units, double payloadBytes, double outputs) {

    /** The features in the order of the coefficients: constant, units, bytes, outputs. */
    double[] vector() {
        return new double[] {1, units, payloadBytes, outputs};
    }
}
