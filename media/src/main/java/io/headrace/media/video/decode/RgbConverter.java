package io.headrace.media.video.decode;

import static org.bytedeco.ffmpeg.global.avfilter.AV_BUFFERSRC_FLAG_KEEP_REF;
import static org.bytedeco.ffmpeg.global.avfilter.av_buffersink_get_frame;
import static org.bytedeco.ffmpeg.global.avfilter.av_buffersrc_add_frame_flags;
import static org.bytedeco.ffmpeg.global.avfilter.av_buffersrc_parameters_alloc;
import static org.bytedeco.ffmpeg.global.avfilter.av_buffersrc_parameters_set;
import static org.bytedeco.ffmpeg.global.avfilter.avfilter_get_by_name;
import static org.bytedeco.ffmpeg.global.avfilter.avfilter_graph_alloc;
import static org.bytedeco.ffmpeg.global.avfilter.avfilter_graph_alloc_filter;
import static org.bytedeco.ffmpeg.global.avfilter.avfilter_graph_config;
import static org.bytedeco.ffmpeg.global.avfilter.avfilter_graph_free;
import static org.bytedeco.ffmpeg.global.avfilter.avfilter_init_str;
import static org.bytedeco.ffmpeg.global.avfilter.avfilter_link;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_alloc;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_free;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_unref;
import static org.bytedeco.ffmpeg.global.avutil.av_free;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Orientation;
import io.headrace.media.decode.Picture;
import io.headrace.media.decode.Upright;
import io.headrace.media.resize.Scratch;
import java.lang.foreign.MemorySegment;
import org.bytedeco.ffmpeg.avfilter.AVBufferSrcParameters;
import org.bytedeco.ffmpeg.avfilter.AVFilterContext;
import org.bytedeco.ffmpeg.avfilter.AVFilterGraph;
import org.bytedeco.ffmpeg.avutil.AVBufferRef;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.avutil.AVRational;
import org.jspecify.annotations.Nullable;

/**
 * Turns decoded frames into upright packed RGB by FFmpeg's filters {@code scale,format=rgb24} with their default flags: the bits of
 * torchcodec. The chain is kept as long as frames look alike, from video to video.
 */
final class RgbConverter implements AutoCloseable {
    private final AVFrame rgb = av_frame_alloc();
    private final Scratch upright = new Scratch();
    private final Scratch copied = new Scratch();
    private Look look = new Look(0, 0, 0, 0, 0);
    private @Nullable Chain chain;

    /** What a chain is made for. */
    private record Look(int width, int height, int format, int matrix, int range) {
        static Look of(AVFrame frame) {
            return new Look(
                    frame.width(),
                    frame.height(),
                    frame.format(),
                    frame.colorspace(),
                    frame.color_range());
        }
    }

    /** Converts a frame; what is returned holds until the next call. */
    Picture convert(AVFrame frame, Orientation orientation) throws BadPayload {
        Chain now = chain(Look.of(frame));
        av_frame_unref(rgb);
        check(av_buffersrc_add_frame_flags(now.source, frame, AV_BUFFERSRC_FLAG_KEEP_REF));
        check(av_buffersink_get_frame(now.sink, rgb));
        int width = rgb.width();
        int height = rgb.height();
        int stride = rgb.linesize(0);
        if (stride < 3 * width) {
            throw new IllegalStateException(
                    "Rows of %d bytes for %d pixels".formatted(stride, width));
        }
        MemorySegment stored = pixels((long) stride * height);
        if (orientation == Orientation.UPRIGHT && stride == 3 * width) {
            return new Picture(stored, width, height);
        }
        long bytes = 3L * width * height;
        MemorySegment turned = memory(upright.address(bytes), bytes);
        Upright.turn(stored, stride, width, height, orientation, turned);
        return orientation.swapsSides()
                ? new Picture(turned, height, width)
                : new Picture(turned, width, height);
    }

    /** The rows of the converted frame and at least one byte behind them. */
    private MemorySegment pixels(long bytes) {
        AVBufferRef buffer = rgb.buf(0);
        long start = rgb.data(0).address();
        long room = buffer.data().address() + buffer.size() - start;
        if (room > bytes) {
            return memory(start, room);
        }
        long copy = copied.address(bytes);
        MemorySegment.copy(Scratch.MEMORY, start, Scratch.MEMORY, copy, bytes);
        return memory(copy, bytes + 1);
    }

    @SuppressWarnings("restricted")
    private static MemorySegment memory(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    private Chain chain(Look wanted) throws BadPayload {
        Chain now = chain;
        if (now != null && look.equals(wanted)) {
            return now;
        }
        close(now);
        chain = null;
        Chain made = new Chain();
        try {
            made.configure(wanted);
        } catch (BadPayload e) {
            made.close();
            throw e;
        }
        look = wanted;
        chain = made;
        return made;
    }

    private static void close(@Nullable Chain chain) {
        if (chain != null) {
            chain.close();
        }
    }

    private static void check(int result) throws BadPayload {
        if (result < 0) {
            throw new BadPayload(
                    Reason.UNSUPPORTED,
                    "FFmpeg does not turn the frames into RGB: error %d".formatted(result));
        }
    }

    @Override
    public void close() {
        close(chain);
        chain = null;
        av_frame_free(rgb);
    }

    /** The filters, run on the calling thread. */
    private static final class Chain implements AutoCloseable {
        private final AVFilterGraph graph = avfilter_graph_alloc();
        private final AVFilterContext source;
        private final AVFilterContext sink;

        Chain() {
            graph.nb_threads(1);
            source = filter("buffer");
            sink = filter("buffersink");
        }

        private AVFilterContext filter(String name) {
            return avfilter_graph_alloc_filter(graph, avfilter_get_by_name(name), name);
        }

        void configure(Look look) throws BadPayload {
            AVBufferSrcParameters parameters = av_buffersrc_parameters_alloc();
            try (AVRational tick = new AVRational()) {
                tick.num(1).den(1);
                parameters.format(look.format());
                parameters.width(look.width());
                parameters.height(look.height());
                parameters.time_base(tick);
                parameters.color_space(look.matrix());
                parameters.color_range(look.range());
                check(av_buffersrc_parameters_set(source, parameters));
            } finally {
                av_free(parameters);
            }
            AVFilterContext scale = filter("scale");
            AVFilterContext format = filter("format");
            check(avfilter_init_str(source, (String) null));
            check(avfilter_init_str(scale, (String) null));
            check(avfilter_init_str(format, "pix_fmts=rgb24"));
            check(avfilter_init_str(sink, (String) null));
            check(avfilter_link(source, 0, scale, 0));
            check(avfilter_link(scale, 0, format, 0));
            check(avfilter_link(format, 0, sink, 0));
            check(avfilter_graph_config(graph, null));
        }

        @Override
        public void close() {
            avfilter_graph_free(graph);
        }
    }
}
