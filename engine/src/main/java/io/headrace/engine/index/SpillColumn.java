package io.headrace.engine.index;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A column that grows: up to {@link #MEMORY_BYTES} in memory, the rest in a file that has no name any more when it is written to, so
 * that nothing is left behind. Not thread-safe.
 */
final class SpillColumn implements AutoCloseable {

    /** Memory of one column; the columns of one writer together stay below 24 MiB. */
    static final int MEMORY_BYTES = 1 << 20;

    private static final int FIRST_BYTES = 1 << 10;

    private final Path folder;
    private ByteBuffer buffer = allocate(FIRST_BYTES);
    private @Nullable FileChannel file;
    private long fileBytes;

    SpillColumn(Path folder) {
        this.folder = folder;
    }

    private static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    long bytes() {
        return fileBytes + buffer.position();
    }

    void putByte(int value) throws IOException {
        room(1).put((byte) value);
    }

    void putShort(int value) throws IOException {
        room(2).putShort((short) value);
    }

    void putInt(int value) throws IOException {
        room(4).putInt(value);
    }

    void putLong(long value) throws IOException {
        room(8).putLong(value);
    }

    void putBytes(MemorySegment bytes) throws IOException {
        for (long at = 0; at < bytes.byteSize(); ) {
            int count = (int) Math.min(bytes.byteSize() - at, MEMORY_BYTES / 2);
            room(count).put(bytes.asSlice(at, count).asByteBuffer());
            at += count;
        }
    }

    private ByteBuffer room(int bytes) throws IOException {
        if (buffer.remaining() < bytes) {
            if (buffer.capacity() < MEMORY_BYTES) {
                grow(bytes);
            } else {
                spill();
            }
        }
        return buffer;
    }

    private void grow(int bytes) {
        int wanted = Math.max(buffer.capacity() * 2, buffer.position() + bytes);
        ByteBuffer larger = allocate(Math.max(wanted, FIRST_BYTES));
        buffer = larger.put(buffer.flip());
    }

    private void spill() throws IOException {
        FileChannel channel = file == null ? openUnnamed() : file;
        file = channel;
        buffer.flip();
        fileBytes += buffer.remaining();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
        buffer.clear();
    }

    private FileChannel openUnnamed() throws IOException {
        Path path = Files.createTempFile(folder, "column", ".spill");
        try {
            return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } finally {
            Files.delete(path);
        }
    }

    void writeTo(WritableByteChannel out) throws IOException {
        FileChannel spilled = file;
        if (spilled != null) {
            for (long at = 0; at < fileBytes; ) {
                at += spilled.transferTo(at, fileBytes - at, out);
            }
        }
        ByteBuffer rest = buffer.duplicate().flip();
        while (rest.hasRemaining()) {
            out.write(rest);
        }
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }
}
