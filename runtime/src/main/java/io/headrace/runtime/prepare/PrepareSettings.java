package io.headrace.runtime.prepare;

import io.headrace.engine.recipe.ErrorSpec;
import io.headrace.engine.recipe.ProcessSpec;
import io.headrace.engine.recipe.Recipe;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How sources are prepared.
 *
 * @param folder where relative paths start
 * @param indexFolder where indexes are written
 * @param process counts tokens and bounds pictures; null: tokens are estimated, pictures unbounded
 * @param policy what becomes of a shard of which nothing can be read
 * @param limits bounds of a run
 */
public record PrepareSettings(
        Path folder,
        Path indexFolder,
        @Nullable ProcessSpec process,
        ErrorSpec.Policy policy,
        Limits limits) {

    /**
     * Bounds of a run.
     *
     * @param shards shards that are scanned at a time
     * @param unpackedBytes a compressed shard of more bytes is an error
     * @param parquetPatience a Parquet file that shows no progress for so long is given up
     */
    public record Limits(int shards, long unpackedBytes, Duration parquetPatience) {

        /** Shards at a time: more than cores, since a scan mostly waits for the disk. */
        private static final int SHARDS_A_CORE = 2;

        private static final int MIN_SHARDS = 4;

        public static Limits ofThisMachine() {
            int cores = Runtime.getRuntime().availableProcessors();
            return new Limits(
                    Math.max(MIN_SHARDS, SHARDS_A_CORE * cores), 64L << 30, Duration.ofSeconds(60));
        }
    }

    /** The settings of a recipe. */
    public static PrepareSettings of(Recipe recipe) {
        return new PrepareSettings(
                recipe.folder(),
                recipe.indexFolder(),
                recipe.process(),
                recipe.errors().policy(),
                Limits.ofThisMachine());
    }

    /** The index of a source. */
    public Path indexFile(String source) {
        return indexFolder.resolve(source + ".safetensors");
    }
}
