package io.headrace.media.process.video;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/** Times of pairs of frames as Qwen3-VL writes them among the text: {@code <0.3 seconds>}, one token a digit. */
public final class FrameTimes {
    /** Tokens of a time beside the digits before its point: {@code <}, the point, the digit behind it, {@code seconds}, {@code >}. */
    private static final int FIXED_TOKENS = 5;

    private FrameTimes() {}

    /**
     * Seconds with one decimal, the mean of the two frames of each pair (Qwen3VLProcessor._calculate_timestamps); the last of an odd number
     * is a pair alone.
     *
     * @param rate frames a second of the video
     */
    public static List<String> ofPairs(SampledFrames frames, double rate) {
        List<String> times = new ArrayList<>();
        for (int k = 0; k < frames.count(); k += TemporalPatches.TIMES) {
            int last = Math.min(k + TemporalPatches.TIMES, frames.count()) - 1;
            double seconds = (frames.get(k) / rate + frames.get(last) / rate) / 2;
            times.add(new BigDecimal(seconds).setScale(1, RoundingMode.HALF_EVEN).toPlainString());
        }
        return times;
    }

    /** How a time is written. */
    public static String written(String time) {
        return "<" + time + " seconds>";
    }

    /** Tokens of the written times. */
    public static int tokens(List<String> times) {
        int tokens = 0;
        for (String time : times) {
            tokens += FIXED_TOKENS + time.indexOf('.');
        }
        return tokens;
    }
}
