package io.headrace.sources.formats;

import io.headrace.engine.descriptor.BadPayload;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A shard of which nothing can be read. The message names the file. */
public final class BadShard extends IOException {

    private static final long serialVersionUID = 1;

    private final BadPayload.Reason reason;
    private final String detail;

    public BadShard(Path shard, BadPayload.Reason reason, String detail) {
        this(shard, reason, detail, null);
    }

    public BadShard(
            Path shard, BadPayload.Reason reason, String detail, @Nullable Throwable cause) {
        super("Shard %s: %s".formatted(shard, detail), cause);
        this.reason = reason;
        this.detail = detail;
    }

    public BadPayload.Reason reason() {
        return reason;
    }

    /** What is wrong, without the name of the file. */
    public String detail() {
        return detail;
    }
}
