package io.headrace.runtime.prepare;

import io.headrace.engine.index.SampleIndex;
import io.headrace.engine.index.ShardEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The index that an earlier run has finished under the same settings, if there is one. */
final class SampleIndexOrNone implements AutoCloseable {

    private final @Nullable SampleIndex index;
    private final Map<String, Integer> numbers = new HashMap<>();

    private SampleIndexOrNone(@Nullable SampleIndex index) {
        this.index = index;
        for (int i = 0; index != null && i < index.shards(); i++) {
            numbers.put(index.shard(i).path(), i);
        }
    }

    /** Opens an index; one that is cut, of another format or of other settings counts as none. */
    static SampleIndexOrNone open(Path file, String settings) {
        if (!Files.exists(file)) {
            return new SampleIndexOrNone(null);
        }
        try {
            SampleIndex index = SampleIndex.open(file);
            if (index.metadata().settings().equals(settings)) {
                return new SampleIndexOrNone(index);
            }
            index.close();
        } catch (IOException e) {
            // written again below
        }
        return new SampleIndexOrNone(null);
    }

    SampleIndex index() {
        if (index == null) {
            throw new IllegalStateException("There is no index");
        }
        return index;
    }

    /** The number of a shard that has not changed; -1: it must be scanned. */
    int number(ShardWork shard) {
        Integer number = numbers.get(shard.name());
        if (index == null || number == null) {
            return -1;
        }
        ShardEntry entry = index.shard(number);
        return shard.isShard(entry) ? number : -1;
    }

    /** Whether it is the index of these shards, in this order. */
    boolean holdsExactly(List<ShardWork> shards) {
        if (index == null || index.shards() != shards.size()) {
            return false;
        }
        for (ShardWork shard : shards) {
            if (number(shard) != shard.number()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        if (index != null) {
            index.close();
        }
    }
}
