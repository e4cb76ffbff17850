package io.headrace.sim.workload;

import io.headrace.engine.cost.Features;
import io.headrace.engine.cost.learn.CpuKey;
import io.headrace.engine.cost.learn.CpuKey.Operation;
import io.headrace.engine.cost.learn.CpuWork;
import io.headrace.engine.descriptor.Codec;
import java.util.ArrayList;
import java.util.List;

/** Collects the parts of a sample and what they really cost: a rate for each codec, and a deviation that no descriptor tells. */
final class CpuTruth {

    private static final double PART_NANOS = 60_000;
    private static final double OUTPUT_NANOS = 1.1;
    private static final double BYTE_NANOS = 6.3;

    private final Draw draw;
    private final List<CpuWork> work = new ArrayList<>();
    private double nanos;
    private double bytes;
    private double units;

    CpuTruth(Draw draw) {
        this.draw = draw;
    }

    /** A part of a codec: pixels or sound samples decoded, encoded bytes, and values written. */
    CpuTruth add(Codec codec, Operation operation, double u, double b, double outputs) {
        work.add(new CpuWork(new CpuKey(codec, operation), u, b, outputs));
        double rate = PART_NANOS + unitNanos(codec) * u + BYTE_NANOS * b + OUTPUT_NANOS * outputs;
        nanos += rate * draw.logNormal(1, deviation(operation));
        bytes += b;
        units += u;
        return this;
    }

    private static double unitNanos(Codec codec) {
        return switch (codec) {
            case JPEG -> 1.7;
            case H264 -> 3.5;
            case H265 -> 5;
            case VP9 -> 4.5;
            case AV1 -> 8;
            case MP3, AAC -> 25;
            case OPUS -> 35;
            case FLAC -> 8;
            case WAV -> 3;
            case TEXT -> 300;
            default -> 10;
        };
    }

    /** Frames cost by their content, pictures by little but their size. */
    private static double deviation(Operation operation) {
        return operation == Operation.DECODE_FRAMES ? 0.2 : 0.08;
    }

    /** The sample, with its tokens and patches. */
    SimSample sample(double tokens, double patches, int pieces) {
        Features features =
                new Features(Math.max(1, (int) tokens), (int) patches, (long) units, (long) bytes);
        return new SimSample(features, work, Math.round(nanos), Math.max(1, pieces));
    }
}
