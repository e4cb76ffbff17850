package io.headrace.sources.formats;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A payload that is a file of its own. Open until it is closed. */
public final class FilePayload implements Payload, AutoCloseable {

    private final FileChannel channel;
    private final long lengthBytes;

    private FilePayload(FileChannel channel, long lengthBytes) {
        this.channel = channel;
        this.lengthBytes = lengthBytes;
    }

    /** Opens a file. */
    public static FilePayload open(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        try {
            return new FilePayload(channel, channel.size());
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public long lengthBytes() {
        return lengthBytes;
    }

    @Override
    public int read(long offsetBytes, byte[] target, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(target, 0, length);
        while (buffer.hasRemaining()
                && channel.read(buffer, offsetBytes + buffer.position()) >= 0) {
            // goes on where the system gave less than was asked for
        }
        return buffer.position();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
