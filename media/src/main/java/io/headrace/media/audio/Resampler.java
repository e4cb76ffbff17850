package io.headrace.media.audio;

import static org.bytedeco.ffmpeg.global.avutil.AV_ROUND_UP;
import static org.bytedeco.ffmpeg.global.avutil.AV_SAMPLE_FMT_FLTP;
import static org.bytedeco.ffmpeg.global.avutil.av_channel_layout_compare;
import static org.bytedeco.ffmpeg.global.avutil.av_channel_layout_copy;
import static org.bytedeco.ffmpeg.global.avutil.av_channel_layout_default;
import static org.bytedeco.ffmpeg.global.avutil.av_channel_layout_uninit;
import static org.bytedeco.ffmpeg.global.avutil.av_opt_set_double;
import static org.bytedeco.ffmpeg.global.avutil.av_rescale_rnd;
import static org.bytedeco.ffmpeg.global.swresample.swr_alloc_set_opts2;
import static org.bytedeco.ffmpeg.global.swresample.swr_convert;
import static org.bytedeco.ffmpeg.global.swresample.swr_free;
import static org.bytedeco.ffmpeg.global.swresample.swr_get_delay;
import static org.bytedeco.ffmpeg.global.swresample.swr_init;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.recipe.ProcessSpec.Downmix;
import java.util.Arrays;
import org.bytedeco.ffmpeg.avutil.AVChannelLayout;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.swresample.SwrContext;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.PointerPointer;
import org.jspecify.annotations.Nullable;

/** FFmpeg's resampler from decoded frames to mono float32 samples of one rate, which pile up in an array. */
final class Resampler {
    private static final int FIRST_SAMPLES = 1 << 16;

    private float[] samples = new float[FIRST_SAMPLES];
    private int count;
    private int rateHz;
    private int most;
    private Downmix downmix = Downmix.POWER;
    private @Nullable SwrContext context;
    private final AVChannelLayout layout = new AVChannelLayout();
    private int frameRateHz;
    private int frameFormat;
    private FloatPointer chunk = new FloatPointer(FIRST_SAMPLES);
    private PointerPointer<FloatPointer> planes = new PointerPointer<FloatPointer>(1).put(chunk);

    void begin(int wantedHz, Downmix wantedDownmix, int mostSamples) {
        count = 0;
        rateHz = wantedHz;
        downmix = wantedDownmix;
        most = mostSamples;
    }

    boolean isFull() {
        return count >= most;
    }

    int count() {
        return Math.min(count, most);
    }

    float[] samples() {
        return samples;
    }

    void add(AVFrame frame) throws BadPayload {
        if (context == null || hasChanged(frame)) {
            if (context != null) {
                flush();
            }
            open(frame);
        }
        convert(frame.extended_data(), frame.nb_samples());
    }

    private boolean hasChanged(AVFrame frame) {
        return frame.sample_rate() != frameRateHz
                || frame.format() != frameFormat
                || av_channel_layout_compare(frame.ch_layout(), layout) != 0;
    }

    private void open(AVFrame frame) throws BadPayload {
        end();
        frameRateHz = frame.sample_rate();
        frameFormat = frame.format();
        av_channel_layout_copy(layout, frame.ch_layout());
        AVChannelLayout mono = new AVChannelLayout();
        av_channel_layout_default(mono, 1);
        AVChannelLayout in = new AVChannelLayout();
        if (frame.ch_layout().order() == 0) {
            av_channel_layout_default(in, frame.ch_layout().nb_channels());
        } else {
            av_channel_layout_copy(in, frame.ch_layout());
        }
        SwrContext opened = new SwrContext(null);
        int result =
                swr_alloc_set_opts2(
                        opened,
                        mono,
                        AV_SAMPLE_FMT_FLTP,
                        rateHz,
                        in,
                        frameFormat,
                        frameRateHz,
                        0,
                        null);
        if (result >= 0 && downmix == Downmix.MEAN) {
            result = av_opt_set_double(opened, "rematrix_maxval", 1, 0);
        }
        if (result >= 0) {
            result = swr_init(opened);
        }
        av_channel_layout_uninit(in);
        if (result < 0) {
            swr_free(opened);
            throw new BadPayload(
                    Reason.UNSUPPORTED,
                    "FFmpeg cannot resample %d Hz of %d channels to %d Hz mono: error %d"
                            .formatted(
                                    frameRateHz, frame.ch_layout().nb_channels(), rateHz, result));
        }
        context = opened;
    }

    /** Takes out what the resampler holds back. */
    void flush() throws BadPayload {
        if (context != null) {
            convert(null, 0);
        }
    }

    private void convert(@Nullable PointerPointer<?> data, int frames) throws BadPayload {
        SwrContext open = context;
        if (open == null) {
            throw new IllegalStateException("The resampler is not open");
        }
        int room =
                (int)
                        av_rescale_rnd(
                                swr_get_delay(open, frameRateHz) + frames,
                                rateHz,
                                frameRateHz,
                                AV_ROUND_UP);
        if (room <= 0) {
            return;
        }
        if (room > chunk.capacity()) {
            chunk = new FloatPointer(2L * room);
            planes = new PointerPointer<FloatPointer>(1).put(chunk);
        }
        int got = swr_convert(open, planes, room, data, frames);
        if (got < 0) {
            throw new BadPayload(Reason.CORRUPT, "FFmpeg's resampler failed: error " + got);
        }
        if (count + got > samples.length) {
            samples = Arrays.copyOf(samples, Math.max(count + got, 2 * samples.length));
        }
        chunk.get(samples, count, got);
        count += got;
    }

    /** Frees FFmpeg's memory; the samples stay. */
    void end() {
        SwrContext open = context;
        if (open != null) {
            swr_free(open);
            context = null;
        }
    }
}
