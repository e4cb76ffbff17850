package io.headrace.runtime.deliver.slot;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The few calls of the C library that the JDK lacks. Each returns what the call returns; a failed one returns the negated error number.
 */
@SuppressWarnings("restricted")
final class Posix {
    static final int NO_SUCH_CALL = -38;
    static final int INVALID = -22;
    static final int WOULD_BLOCK = -11;

    private static final int CLOSE_ON_EXEC = 1;
    private static final int NOT_EXECUTABLE = 8;
    private static final int READ_WRITE_CREATE_NEW = 02 | 0100 | 0200 | 02000000;
    private static final int OWNER_READ_WRITE = 0600;
    private static final int KEEP_SIZE_PUNCH_HOLE = 1 | 2;
    private static final int EXCLUSIVE_NON_BLOCKING = 2 | 4;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final ValueLayout POINTER = ValueLayout.ADDRESS;
    private static final Linker LINKER = Linker.nativeLinker();
    private static final VarHandle ERROR_NUMBER =
            Linker.Option.captureStateLayout()
                    .varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private static final MethodHandle MEMFD_CREATE = call("memfd_create", INT, POINTER, INT);
    private static final MethodHandle OPEN =
            LINKER.downcallHandle(
                    symbol("open"),
                    FunctionDescriptor.of(INT, POINTER, INT, INT),
                    Linker.Option.captureCallState("errno"),
                    Linker.Option.firstVariadicArg(2));
    private static final MethodHandle TRUNCATE = call("ftruncate", INT, INT, LONG);
    private static final MethodHandle ALLOCATE = call("posix_fallocate", INT, INT, LONG, LONG);
    private static final MethodHandle FALLOCATE = call("fallocate", INT, INT, INT, LONG, LONG);
    private static final MethodHandle LOCK = call("flock", INT, INT, INT);
    private static final MethodHandle CLOSE = call("close", INT, INT);

    private Posix() {}

    /** A new file in memory without a name, or a negated error number. */
    static int memoryFile(String label) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
            MemorySegment name = arena.allocateFrom(label);
            int fd =
                    checked(
                            (int)
                                    MEMFD_CREATE.invokeExact(
                                            state, name, CLOSE_ON_EXEC | NOT_EXECUTABLE),
                            state);
            return fd == INVALID
                    ? checked((int) MEMFD_CREATE.invokeExact(state, name, CLOSE_ON_EXEC), state)
                    : fd;
        } catch (Throwable e) {
            throw new IllegalStateException("memfd_create cannot be called", e);
        }
    }

    /** Opens a file that its owner alone may read and write and that does not exist yet. */
    static int createFile(String path) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
            MemorySegment name = arena.allocateFrom(path);
            return checked(
                    (int) OPEN.invokeExact(state, name, READ_WRITE_CREATE_NEW, OWNER_READ_WRITE),
                    state);
        } catch (Throwable e) {
            throw new IllegalStateException("open cannot be called", e);
        }
    }

    /** Opens a file for reading and writing that may exist. */
    static int openFile(String path) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
            MemorySegment name = arena.allocateFrom(path);
            int flags = READ_WRITE_CREATE_NEW & ~0200;
            return checked((int) OPEN.invokeExact(state, name, flags, OWNER_READ_WRITE), state);
        } catch (Throwable e) {
            throw new IllegalStateException("open cannot be called", e);
        }
    }

    /** Sets the length and gives the file all its pages, so that no later write can fail for want of them. */
    static int reserve(int fd, long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
            int resized = checked((int) TRUNCATE.invokeExact(state, fd, bytes), state);
            return resized != 0 ? resized : -(int) ALLOCATE.invokeExact(state, fd, 0L, bytes);
        } catch (Throwable e) {
            throw new IllegalStateException("posix_fallocate cannot be called", e);
        }
    }

    /** Gives the pages back although others may still map them: they read zeros from then on. */
    static int release(int fd, long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
            return checked(
                    (int) FALLOCATE.invokeExact(state, fd, KEEP_SIZE_PUNCH_HOLE, 0L, bytes), state);
        } catch (Throwable e) {
            throw new IllegalStateException("fallocate cannot be called", e);
        }
    }

    /** Takes the lock of an open file without waiting; the kernel gives it back with the process. */
    static int lock(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
            return checked((int) LOCK.invokeExact(state, fd, EXCLUSIVE_NON_BLOCKING), state);
        } catch (Throwable e) {
            throw new IllegalStateException("flock cannot be called", e);
        }
    }

    static int close(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
            return checked((int) CLOSE.invokeExact(state, fd), state);
        } catch (Throwable e) {
            throw new IllegalStateException("close cannot be called", e);
        }
    }

    private static int checked(int result, MemorySegment state) {
        return result >= 0 ? result : -(int) ERROR_NUMBER.get(state, 0L);
    }

    private static MethodHandle call(String name, MemoryLayout result, MemoryLayout... arguments) {
        return LINKER.downcallHandle(
                symbol(name),
                FunctionDescriptor.of(result, arguments),
                Linker.Option.captureCallState("errno"));
    }

    private static MemorySegment symbol(String name) {
        SymbolLookup library = LINKER.defaultLookup();
        return library.find(name)
                .orElseThrow(() -> new IllegalStateException("The C library has no " + name));
    }
}
