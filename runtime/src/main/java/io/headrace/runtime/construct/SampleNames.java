package io.headrace.runtime.construct;

import io.headrace.engine.descriptor.Descriptor;
import io.headrace.engine.descriptor.Location;
import io.headrace.engine.descriptor.Part;

/** Names of samples as a person knows them: source, shard and member instead of numbers. */
public interface SampleNames {

    /** Name of a source in the recipe. */
    String source(int source);

    /** Path of a shard. */
    String shard(int source, int shard);

    /** Source and key of a sample. */
    default String sample(Descriptor descriptor) {
        return source(descriptor.sample().source()) + "/" + descriptor.key();
    }

    /** The file of a part, with its member and offset where it lies within a shard. */
    default String file(Descriptor descriptor, Part part) {
        int source = descriptor.sample().source();
        String shard = shard(source, part.location().shard());
        return switch (part.location()) {
            case Location.Range range ->
                    "%s, member %s, offset %d"
                            .formatted(shard, member(descriptor, part), range.offsetBytes());
            case Location.Cell cell -> "%s, row %d, %s".formatted(shard, cell.row(), part.field());
            case Location.File file -> "%s, named by %s".formatted(file.path(), shard);
        };
    }

    /** The member of a part: key and field. */
    static String member(Descriptor descriptor, Part part) {
        return descriptor.key() + "." + part.field();
    }
}
