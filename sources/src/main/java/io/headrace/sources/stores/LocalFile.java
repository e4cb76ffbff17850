package io.headrace.sources.stores;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * An open file that is read by position. Bytes are copied into the caller's memory and never mapped: a file that is cut while it is
 * read gives an error, where a mapped one would end the process.
 */
public final class LocalFile implements ByteSource, AutoCloseable {

    private final String name;
    private final FileChannel channel;

    private LocalFile(String name, FileChannel channel) {
        this.name = name;
        this.channel = channel;
    }

    /** Opens a file for reading. */
    public static LocalFile open(Path path) throws IOException {
        return new LocalFile(path.toString(), FileChannel.open(path, StandardOpenOption.READ));
    }

    /** Takes over an open channel, which need not have a name in any folder. */
    public static LocalFile of(String name, FileChannel channel) {
        return new LocalFile(name, channel);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long lengthBytes() throws IOException {
        return channel.size();
    }

    @Override
    public int read(long offsetBytes, MemorySegment into) throws IOException {
        ByteBuffer buffer = into.asByteBuffer();
        while (buffer.hasRemaining()) {
            int read = channel.read(buffer, offsetBytes + buffer.position());
            if (read < 0) {
                break;
            }
        }
        return buffer.position();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
