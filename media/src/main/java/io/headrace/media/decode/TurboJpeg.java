package io.headrace.media.decode;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The functions of the TurboJPEG C interface (version 2 of it, which version 3 of libjpeg-turbo still has) that decoding needs.
 * Constants are those of {@code turbojpeg.h}. The class loads only where {@link NativeLibraries#turboJpeg()} found the library.
 */
final class TurboJpeg {
    static final int PIXELS_RGB = 0;
    static final int PIXELS_CMYK = 11;
    static final int FLAG_BOTTOM_UP = 2;
    static final int ERROR_WARNING = 0;
    private static final long MOST_MESSAGE_BYTES = 200;

    private static final MethodHandle INIT =
            bind("tjInitDecompress", FunctionDescriptor.of(JAVA_LONG));
    private static final MethodHandle HEADER =
            bind(
                    "tjDecompressHeader3",
                    FunctionDescriptor.of(
                            JAVA_INT, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                            JAVA_LONG, JAVA_LONG));
    private static final MethodHandle DECOMPRESS =
            bind(
                    "tjDecompress2",
                    FunctionDescriptor.of(
                            JAVA_INT, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT,
                            JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle ERROR_TEXT =
            bind("tjGetErrorStr2", FunctionDescriptor.of(ADDRESS, JAVA_LONG));
    private static final MethodHandle ERROR_CODE =
            bind("tjGetErrorCode", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    private static final MethodHandle DESTROY =
            bind("tjDestroy", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));

    private TurboJpeg() {}

    private static MethodHandle bind(String function, FunctionDescriptor descriptor) {
        return NativeLibraries.turboJpeg().orElseThrow().function(function, descriptor);
    }

    /** A new decompressor, to be destroyed once. */
    static long create() {
        try {
            long handle = (long) INIT.invokeExact();
            if (handle == 0) {
                throw new IllegalStateException("TurboJPEG gives no decompressor");
            }
            return handle;
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    static void destroy(long handle) {
        try {
            int ignored = (int) DESTROY.invokeExact(handle);
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    /** Writes width, height, subsampling and colour space as four ints at {@code outAddress}; not 0 on errors and warnings. */
    static int header(long handle, MemorySegment encoded, long outAddress) {
        try {
            return (int)
                    HEADER.invokeExact(
                            handle,
                            encoded,
                            encoded.byteSize(),
                            outAddress,
                            outAddress + 4,
                            outAddress + 8,
                            outAddress + 12);
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    /** Decodes to packed rows at {@code outAddress}, at the largest DCT scale that fits the size; not 0 on errors and warnings. */
    static int decompress(
            long handle,
            MemorySegment encoded,
            long outAddress,
            int width,
            int height,
            int pixels,
            int flags) {
        try {
            return (int)
                    DECOMPRESS.invokeExact(
                            handle,
                            encoded,
                            encoded.byteSize(),
                            outAddress,
                            width,
                            0,
                            height,
                            pixels,
                            flags);
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    /** What went wrong in the last call on the handle. */
    @SuppressWarnings("restricted")
    static String errorText(long handle) {
        try {
            MemorySegment text = (MemorySegment) ERROR_TEXT.invokeExact(handle);
            return text.reinterpret(MOST_MESSAGE_BYTES).getString(0);
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    /** {@link #ERROR_WARNING} if the last call gave a whole picture in spite of a complaint. */
    static int errorCode(long handle) {
        try {
            return (int) ERROR_CODE.invokeExact(handle);
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    private static RuntimeException failed(Throwable e) {
        return e instanceof RuntimeException known
                ? known
                : new IllegalStateException("Call of TurboJPEG failed", e);
    }
}
