package io.headrace.sources.read;

import java.io.IOException;
import java.nio.file.Path;

/** A shard is not the one that was indexed; the job stops, since every offset may be wrong. */
public final class ShardChanged extends IOException {

    private static final long serialVersionUID = 1;

    ShardChanged(Path shard, String detail) {
        super(
                "Shard %s has changed since it was indexed (%s); prepare it again"
                        .formatted(shard, detail));
    }
}
