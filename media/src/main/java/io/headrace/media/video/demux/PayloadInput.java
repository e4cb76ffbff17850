package io.headrace.media.video.demux;

import static org.bytedeco.ffmpeg.global.avformat.AVSEEK_SIZE;
import static org.bytedeco.ffmpeg.global.avformat.avio_alloc_context;
import static org.bytedeco.ffmpeg.global.avformat.avio_context_free;
import static org.bytedeco.ffmpeg.global.avutil.AVERROR_EOF;
import static org.bytedeco.ffmpeg.global.avutil.AVERROR_EXTERNAL;
import static org.bytedeco.ffmpeg.global.avutil.av_free;
import static org.bytedeco.ffmpeg.global.avutil.av_malloc;

import io.headrace.media.probe.ByteView;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.bytedeco.ffmpeg.avformat.AVIOContext;
import org.bytedeco.ffmpeg.avformat.Read_packet_Pointer_BytePointer_int;
import org.bytedeco.ffmpeg.avformat.Seek_Pointer_long_int;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * A payload as FFmpeg reads it. JavaCPP has room for few callbacks, so all inputs share two, which find their input by number. What is
 * read in all is bounded by the length of the payload, so a hostile index cannot make FFmpeg walk in circles.
 */
public final class PayloadInput implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 15;

    /** A file is read once, and its index on the way. */
    private static final long MOST_PASSES = 4;

    private static final long LEAST_BOUND_BYTES = 1 << 20;

    private static final Map<Long, PayloadInput> OPEN = new ConcurrentHashMap<>();
    private static final AtomicLong NUMBERS = new AtomicLong();
    private static final Read READ = new Read();
    private static final Seek SEEK = new Seek();

    private final ByteView view;
    private final long number = NUMBERS.incrementAndGet();
    private final byte[] bytes = new byte[BUFFER_BYTES];
    private final AVIOContext context;
    private long at;
    private long left;
    private @Nullable IOException failure;

    PayloadInput(ByteView view) {
        this.view = view;
        left = Math.max(LEAST_BOUND_BYTES, MOST_PASSES * view.lengthBytes());
        OPEN.put(number, this);
        BytePointer buffer = new BytePointer(av_malloc(BUFFER_BYTES)).capacity(BUFFER_BYTES);
        context =
                avio_alloc_context(
                        buffer, BUFFER_BYTES, 0, new InputNumber(number), READ, null, SEEK);
    }

    AVIOContext context() {
        return context;
    }

    /** Throws what reading the payload threw, which FFmpeg cannot hand on. */
    public void rethrow() throws IOException {
        if (failure != null) {
            throw failure;
        }
    }

    /** Whether FFmpeg asked for more than any sound payload needs. */
    public boolean exhausted() {
        return left <= 0;
    }

    private int read(BytePointer target, int length) {
        if (left <= 0 || failure != null) {
            return AVERROR_EXTERNAL;
        }
        try {
            int count = view.read(at, bytes, Math.min(length, BUFFER_BYTES));
            if (count <= 0) {
                return AVERROR_EOF;
            }
            target.put(bytes, 0, count);
            at += count;
            left -= count;
            return count;
        } catch (IOException e) {
            failure = e;
            return AVERROR_EXTERNAL;
        }
    }

    private long seek(long offset, int whence) {
        long target =
                switch (whence & 3) {
                    case 0 -> offset;
                    case 1 -> at + offset;
                    default -> view.lengthBytes() + offset;
                };
        if ((whence & AVSEEK_SIZE) != 0) {
            return view.lengthBytes();
        }
        if (target < 0 || target > view.lengthBytes()) {
            return AVERROR_EXTERNAL;
        }
        at = target;
        left--;
        return at;
    }

    @Override
    public void close() {
        OPEN.remove(number);
        av_free(context.buffer());
        avio_context_free(context);
    }

    /** The number of an input in the place of an address. */
    private static final class InputNumber extends Pointer {
        InputNumber(long number) {
            address = number;
        }
    }

    private static final class Read extends Read_packet_Pointer_BytePointer_int {
        @Override
        public int call(Pointer opaque, BytePointer target, int length) {
            PayloadInput input = OPEN.get(opaque.address());
            return input == null ? AVERROR_EXTERNAL : input.read(target, length);
        }
    }

    private static final class Seek extends Seek_Pointer_long_int {
        @Override
        public long call(Pointer opaque, long offset, int whence) {
            PayloadInput input = OPEN.get(opaque.address());
            return input == null ? AVERROR_EXTERNAL : input.seek(offset, whence);
        }
    }
}
