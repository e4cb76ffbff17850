package io.headrace.engine.recipe;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A whole recipe, resolved: later stages see no key and no name of the YAML file.
 *
 * @param folder the folder that relative paths start from
 * @param indexFolder where the indexes of the sources lie
 */
public record Recipe(
        Path folder,
        Path indexFolder,
        long seed,
        List<SourceSpec> sources,
        MixtureSpec mixture,
        OrderSpec order,
        ProcessSpec process,
        BatchSpec batch,
        Topology topology,
        PlanSpec plan,
        ErrorSpec errors,
        DeliverySpec delivery) {
    public Recipe {
        sources = List.copyOf(sources);
    }

    /** The sources that a stage of the mixture gives a weight, in order. The others are never opened. */
    public List<SourceSpec> usedSources() {
        return IntStream.range(0, sources.size())
                .filter(mixture::uses)
                .mapToObj(sources::get)
                .toList();
    }

    /** The file of a source's index. */
    public Path indexFile(SourceSpec source) {
        return indexFolder.resolve(source.name() + ".safetensors");
    }
}
