package io.headrace.runtime.prepare;

import io.headrace.engine.index.SkipSummary;
import java.nio.file.Path;

/**
 * What became of a source.
 *
 * @param shardsScanned shards that were scanned in this run; 0: the index was complete
 * @param skips what was left out, of all shards
 * @param nanos duration of the run
 */
public record SourceReport(
        String source,
        Path index,
        long samples,
        int shards,
        int shardsScanned,
        long scannedBytes,
        SkipSummary skips,
        long nanos) {}
