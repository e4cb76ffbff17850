package io.headrace.engine.cost.learn;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Predicts the time a decode worker takes for a sample, in nanoseconds, by codec and operation. Only whole samples are timed: what one of
 * several parts took is its share by the present model. Not thread-safe.
 */
public final class CpuModel {

    /** Some 500 samples of a kind count. */
    private static final double FORGET = 0.998;

    /** A kind above this share of a sample takes the whole difference. */
    private static final double MOST = 0.5;

    private static final double LEAST_LEFT = 0.1;

    private final Map<CpuKey, LearntCost> costs = new HashMap<>();
    private final ErrorWindow errors = new ErrorWindow();

    /** Predicted time of a sample by its parts. */
    public double predictNanos(List<CpuWork> parts) {
        double sum = 0;
        for (CpuWork part : parts) {
            sum += cost(part.key()).predict(part.vector());
        }
        return sum;
    }

    /** Learns what a sample really took. */
    public void observe(List<CpuWork> parts, double nanos) {
        double predicted = predictNanos(parts);
        errors.add(predicted, nanos);
        if (!(predicted > 0)) {
            return;
        }
        Map<CpuKey, double[]> kinds = new LinkedHashMap<>();
        for (CpuWork part : parts) {
            kinds.merge(part.key(), part.vector(), CpuModel::sum);
        }
        kinds.forEach((key, features) -> observe(cost(key), features, predicted, nanos));
    }

    /** A kind that is most of the sample is judged by it; one that is little of it learns as little. */
    private static void observe(
            LearntCost cost, double[] features, double predicted, double nanos) {
        double own = cost.predict(features);
        double share = own / predicted;
        if (share > MOST) {
            double rest = predicted - own;
            double real = Math.max(nanos - rest, nanos * share * LEAST_LEFT);
            cost.observe(features, real);
        } else {
            cost.learn(features, own * nanos / predicted, share, true);
        }
    }

    private static double[] sum(double[] a, double[] b) {
        for (int i = 0; i < a.length; i++) {
            a[i] += b[i];
        }
        return a;
    }

    private LearntCost cost(CpuKey key) {
        return costs.computeIfAbsent(key, k -> new LearntCost(prior(k), true, FORGET));
    }

    /** Nanoseconds of a part, a unit, a byte and an output value: usual orders of size, which the first samples correct. */
    private static double[] prior(CpuKey key) {
        double unit =
                switch (key.operation()) {
                    case DECODE, DECODE_FRAMES ->
                            switch (key.codec()) {
                                case JPEG, BMP, TIFF, GIF, H264, MPEG2, MPEG4, VP8, MJPEG -> 6;
                                case PNG, WEBP, H265, VP9, OTHER_VIDEO -> 10;
                                case AVIF, AV1 -> 20;
                                case WAV, FLAC -> 5;
                                case MP3, OPUS, VORBIS, AAC, OTHER_AUDIO -> 40;
                                case TEXT, JSON -> 0;
                            };
                    case DECODE_SCALED -> 2;
                    case TOKENIZE -> 500;
                };
        return new double[] {50_000, unit, 1, 4};
    }

    /** Relative errors of the predictions of the last samples. */
    public ErrorWindow errors() {
        return errors;
    }

    /** The cost of each kind seen so far, for reports. */
    public Map<CpuKey, LearntCost> costs() {
        return Map.copyOf(costs);
    }
}
