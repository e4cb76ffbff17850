package io.headrace.media.video.decode;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.headrace.media.decode.NativeLibrary;
import io.headrace.media.decode.NativeLibrary.Step;
import io.headrace.media.decode.NativeSearch;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * The functions of dav1d that decoding needs, and where the fields lie that it reads and sets (dav1d/dav1d.h, picture.h, data.h,
 * headers.h; versions 1.0 with libdav1d.so.6, and 1.1 and later with libdav1d.so.7). Sizes leave room for fields behind them.
 */
final class Dav1d {
    static final int AGAIN = -11;

    static final long SETTINGS_BYTES = 512;
    static final long THREADS = 0;
    static final long FRAME_DELAY = 4;
    static final long ALL_LAYERS = 16;
    static final long FRAME_SIZE_LIMIT = 20;
    static final long LOG_CALLBACK = 56;

    static final long DATA_BYTES = 128;
    static final long DATA_TIMESTAMP = 24;

    static final long PICTURE_BYTES = 1024;
    static final long SEQUENCE = 0;
    static final long PLANES = 16;
    static final long STRIDES = 40;
    static final long WIDTH = 56;
    static final long HEIGHT = 60;
    static final long LAYOUT = 64;
    static final long DEPTH = 68;
    static final long TIMESTAMP = 72;

    static final long SEQUENCE_BYTES = 64;
    static final long MATRIX = 24;
    static final long CHROMA = 28;

    private static final String[] FUNCTIONS = {
        "dav1d_version",
        "dav1d_default_settings",
        "dav1d_open",
        "dav1d_close",
        "dav1d_data_create",
        "dav1d_data_unref",
        "dav1d_send_data",
        "dav1d_get_picture",
        "dav1d_picture_unref",
        "dav1d_flush"
    };

    private final MethodHandle defaults;
    private final MethodHandle open;
    private final MethodHandle close;
    private final MethodHandle create;
    private final MethodHandle unrefData;
    private final MethodHandle send;
    private final MethodHandle get;
    private final MethodHandle unrefPicture;
    private final MethodHandle flush;
    private final boolean narrowFlags;

    private Dav1d(NativeLibrary library) {
        FunctionDescriptor ofOne = FunctionDescriptor.ofVoid(ADDRESS);
        FunctionDescriptor ofTwo = FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS);
        defaults = library.function("dav1d_default_settings", ofOne);
        open = library.function("dav1d_open", ofTwo);
        close = library.function("dav1d_close", ofOne);
        create =
                library.function(
                        "dav1d_data_create", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_LONG));
        unrefData = library.function("dav1d_data_unref", ofOne);
        send = library.function("dav1d_send_data", ofTwo);
        get = library.function("dav1d_get_picture", ofTwo);
        unrefPicture = library.function("dav1d_picture_unref", ofOne);
        flush = library.function("dav1d_flush", ofOne);
        narrowFlags = !version(library).startsWith("1.0.");
    }

    private static final class Holder {
        static final Optional<Dav1d> FOUND = search().map(Dav1d::new);
    }

    /** The library that {@code headrace.dav1d} or {@code HEADRACE_DAV1D} names, else the system's; empty if there is none. */
    static Optional<Dav1d> library() {
        return Holder.FOUND;
    }

    private static Optional<NativeLibrary> search() {
        NativeSearch search = new NativeSearch("dav1d", "libdav1d.so.7", Dav1d::isKnown);
        return search.find().or(() -> search.load(Step.SYSTEM, "libdav1d.so.6"));
    }

    private static boolean isKnown(NativeLibrary library) {
        return library.has(FUNCTIONS) && version(library).startsWith("1.");
    }

    @SuppressWarnings("restricted")
    private static String version(NativeLibrary library) {
        try {
            MemorySegment text =
                    (MemorySegment)
                            library.function("dav1d_version", FunctionDescriptor.of(ADDRESS))
                                    .invokeExact();
            return text.reinterpret(64).getString(0);
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    /** Whether the flags of a sequence header are bytes, as from 1.1 on, and not ints. */
    long fullRangeOffset() {
        return narrowFlags ? 33 : 36;
    }

    void defaults(MemorySegment settings) {
        call(defaults, settings);
    }

    int open(MemorySegment handle, MemorySegment settings) {
        return call(open, handle, settings);
    }

    /** Frees the decoder that the handle points at. */
    void close(MemorySegment handle) {
        call(close, handle);
    }

    /** Memory of the library for a packet, which {@code data} then owns; null if there is none. */
    @SuppressWarnings("restricted")
    MemorySegment create(MemorySegment data, long bytes) {
        try {
            return ((MemorySegment) create.invokeExact(data, bytes)).reinterpret(bytes);
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    void unrefData(MemorySegment data) {
        call(unrefData, data);
    }

    int send(MemorySegment decoder, MemorySegment data) {
        return call(send, decoder, data);
    }

    int get(MemorySegment decoder, MemorySegment picture) {
        return call(get, decoder, picture);
    }

    void unrefPicture(MemorySegment picture) {
        call(unrefPicture, picture);
    }

    void flush(MemorySegment decoder) {
        call(flush, decoder);
    }

    private static void call(MethodHandle function, MemorySegment argument) {
        try {
            function.invokeExact(argument);
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    private static int call(MethodHandle function, MemorySegment first, MemorySegment second) {
        try {
            return (int) function.invokeExact(first, second);
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    private static RuntimeException failed(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return e instanceof RuntimeException runtime ? runtime : new IllegalStateException(e);
    }
}
