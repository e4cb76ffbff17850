package io.headrace.sources.formats.parquet;

import dev.hardwood.InputFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A Parquet file that stops its reader: a read of no bytes is an error, since the library asks for nothing again and again where a
 * column chunk is shorter than its pages; and after {@link #abandon} every read is one, so that threads of a given-up read end.
 */
final class GuardedInput implements InputFile {

    private final InputFile file;
    private volatile boolean abandoned;

    GuardedInput(Path path) {
        this.file = InputFile.of(path);
    }

    void abandon() {
        abandoned = true;
    }

    @Override
    public void open() throws IOException {
        file.open();
    }

    @Override
    public ByteBuffer readRange(long offset, int length) throws IOException {
        if (abandoned) {
            throw new IOException("The read was given up");
        }
        if (length <= 0) {
            throw new IOException(
                    "%d bytes asked for at offset %d: a column chunk ends before its pages do"
                            .formatted(length, offset));
        }
        return file.readRange(offset, length);
    }

    @Override
    public long length() throws IOException {
        return file.length();
    }

    @Override
    public String name() {
        return file.name();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
