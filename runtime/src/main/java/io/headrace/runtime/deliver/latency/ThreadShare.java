package io.headrace.runtime.deliver.latency;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * How the kernel shares the cores among this process's threads. Decoding and the JVM's compilers fill all cores for long stretches; the
 * thread that hands a ready step over, and the rank that takes it, need one for microseconds. Since Linux 6.12 a thread that wakes up
 * waits until the running one has used its slice, some milliseconds by default. So those that work for long give way: a lower weight and
 * a short slice; those that answer ask for an even shorter one.
 *
 * <p>Java's own priorities do nothing on Linux. Where a call is not allowed or not known, nothing changes but the waits.
 */
@SuppressWarnings("restricted")
public final class ThreadShare {

    /** About a tenth of the weight of a normal thread when both want the core. */
    private static final int LOW_NICE = 10;

    private static final long LONG_WORK_SLICE_NANOS = 300_000;
    private static final long SHORT_WORK_SLICE_NANOS = 100_000;

    private static final int CALLING_THREAD = 0;
    private static final int ATTRIBUTE_BYTES = 56;
    private static final int NICE_OFFSET = 16;
    private static final int SLICE_OFFSET = 24;

    /** As the kernel cuts off their names. */
    private static final List<String> COMPILERS = List.of("C1 CompilerThre", "C2 CompilerThre");

    private static final Optional<MethodHandle> SYSTEM_CALL =
            Linker.nativeLinker().defaultLookup().find("syscall").map(ThreadShare::systemCall);

    private ThreadShare() {}

    /** The calling thread works for long from now on. */
    public static void giveWay() {
        set(CALLING_THREAD, LOW_NICE, LONG_WORK_SLICE_NANOS);
    }

    /** The calling thread answers somebody who waits. */
    public static void answerSoon() {
        set(CALLING_THREAD, 0, SHORT_WORK_SLICE_NANOS);
    }

    /** The JVM's compilers give way too. */
    public static void compilersGiveWay() {
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path thread : threads) {
                if (COMPILERS.contains(name(thread))) {
                    int id = Integer.parseInt(String.valueOf(thread.getFileName()));
                    set(id, LOW_NICE, LONG_WORK_SLICE_NANOS);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Empty for a thread that has ended. */
    private static String name(Path thread) {
        try {
            return Files.readString(thread.resolve("comm")).strip();
        } catch (IOException e) {
            return "";
        }
    }

    private static MethodHandle systemCall(MemorySegment symbol) {
        FunctionDescriptor signature =
                FunctionDescriptor.of(
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.ADDRESS,
                        ValueLayout.JAVA_LONG);
        return Linker.nativeLinker()
                .downcallHandle(symbol, signature, Linker.Option.firstVariadicArg(1));
    }

    /** Calls sched_setattr with the normal policy; see sched(7). Whether the kernel took it is seen by the waits alone. */
    private static void set(int threadId, int nice, long sliceNanos) {
        long number = callNumber();
        if (SYSTEM_CALL.isEmpty() || number < 0) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(ATTRIBUTE_BYTES, Long.BYTES);
            attributes.set(ValueLayout.JAVA_INT, 0, ATTRIBUTE_BYTES);
            attributes.set(ValueLayout.JAVA_INT, NICE_OFFSET, nice);
            attributes.set(ValueLayout.JAVA_LONG, SLICE_OFFSET, sliceNanos);
            long ignored =
                    (long) SYSTEM_CALL.get().invokeExact(number, (long) threadId, attributes, 0L);
        } catch (Throwable e) {
            throw new IllegalStateException("sched_setattr cannot be called", e);
        }
    }

    /** The number of sched_setattr, for which older C libraries have no function; -1 on a machine not known here. */
    private static long callNumber() {
        return switch (System.getProperty("os.arch", "")) {
            case "amd64" -> 314;
            case "aarch64" -> 274;
            default -> -1;
        };
    }
}
