package io.headrace.engine.cost.learn;

import io.headrace.engine.descriptor.Codec;

/** Work whose CPU cost is learnt on its own: a codec and what is done with it. */
public record CpuKey(Codec codec, Operation operation) {

    /** What a part is for the CPU. */
    public enum Operation {
        /** Every pixel or sample is decoded. */
        DECODE,
        /** A JPEG is decoded at a reduced scale. */
        DECODE_SCALED,
        /** Some frames of a video are decoded, and those that they depend on. */
        DECODE_FRAMES,
        /** A text is made ids. */
        TOKENIZE
    }
}
