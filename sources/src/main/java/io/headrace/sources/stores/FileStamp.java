package io.headrace.sources.stores;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;

/**
 * Size and time of the last change of a file: another stamp means another content.
 *
 * @param modifiedNanos nanoseconds since 1970
 */
public record FileStamp(long sizeBytes, long modifiedNanos) {

    /** The stamp of a file now. */
    public static FileStamp of(Path path) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
        return new FileStamp(
                attributes.size(), attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS));
    }
}
