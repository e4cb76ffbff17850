package io.headrace.runtime.job.engine;

import io.headrace.engine.cost.Features;
import io.headrace.engine.descriptor.Descriptor;
import io.headrace.engine.descriptor.SampleRef;
import io.headrace.engine.index.SampleIndex;
import io.headrace.engine.plan.Catalog;
import io.headrace.engine.recipe.Recipe;
import io.headrace.engine.recipe.SourceSpec;
import io.headrace.runtime.construct.SampleNames;
import io.headrace.runtime.construct.shape.MediaProcessors;
import io.headrace.runtime.construct.shape.SampleShaper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The indexes of all sources as one catalog: descriptors, features under the recipe's processor, and names. Thread-safe: indexes are
 * read-only, and each thread shapes samples by a shaper of its own.
 */
public final class IndexedSources implements Catalog, SampleNames, AutoCloseable {

    private final List<SourceSpec> specs;

    /** Empty for a source that no stage of the mixture weighs. */
    private final List<Optional<SampleIndex>> indexes;

    private final ThreadLocal<SampleShaper> shapers;

    /**
     * @param specs the recipe's sources
     * @param indexes their indexes, in the same order; closed with this; none for a source that is never opened
     * @param shaper makes a shaper for a thread
     */
    public IndexedSources(
            List<SourceSpec> specs,
            List<Optional<SampleIndex>> indexes,
            Supplier<SampleShaper> shaper) {
        if (specs.size() != indexes.size()) {
            throw new IllegalArgumentException(
                    "%d sources, %d indexes".formatted(specs.size(), indexes.size()));
        }
        this.specs = List.copyOf(specs);
        this.indexes = List.copyOf(indexes);
        this.shapers = ThreadLocal.withInitial(shaper);
    }

    /**
     * Opens the indexes of a recipe, except for sources that are never opened.
     *
     * @throws IOException if one is missing or of another format; the message says how to make it
     */
    public static IndexedSources open(Recipe recipe) throws IOException {
        List<Optional<SampleIndex>> indexes = new ArrayList<>();
        try {
            for (int i = 0; i < recipe.sources().size(); i++) {
                SourceSpec source = recipe.sources().get(i);
                if (!recipe.mixture().uses(i)) {
                    indexes.add(Optional.empty());
                    continue;
                }
                Path file = recipe.indexFile(source);
                if (!Files.exists(file)) {
                    throw new IOException(
                            "Source %s has no index %s: run headrace prepare with the recipe"
                                    .formatted(source.name(), file));
                }
                indexes.add(Optional.of(SampleIndex.open(file)));
            }
        } catch (IOException e) {
            close(indexes);
            throw e;
        }
        return new IndexedSources(
                recipe.sources(),
                indexes,
                () ->
                        new SampleShaper(
                                recipe.process(),
                                recipe.batch(),
                                MediaProcessors.of(recipe.process())));
    }

    @Override
    public int sources() {
        return indexes.size();
    }

    @Override
    public long size(int source) {
        return indexes.get(source).map(SampleIndex::size).orElse(0L);
    }

    @Override
    public Features features(SampleRef sample) {
        return shapers.get().shape(descriptor(sample)).features();
    }

    /** All that is known of a sample. */
    public Descriptor descriptor(SampleRef sample) {
        return index(sample.source()).descriptor(sample);
    }

    /** The index of a source. */
    public SampleIndex index(int source) {
        return indexes.get(source)
                .orElseThrow(
                        () ->
                                new IllegalStateException(
                                        "Source %s has weight 0 in every stage and is not open"
                                                .formatted(source(source))));
    }

    @Override
    public String source(int source) {
        return specs.get(source).name();
    }

    @Override
    public String shard(int source, int shard) {
        return index(source).shard(shard).path();
    }

    @Override
    public void close() {
        close(indexes);
    }

    private static void close(List<Optional<SampleIndex>> indexes) {
        indexes.forEach(index -> index.ifPresent(SampleIndex::close));
    }
}
