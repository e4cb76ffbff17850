package io.headrace.engine.recipe.read;

import io.headrace.engine.recipe.schema.Problems;
import java.nio.file.Path;

/**
 * What a recipe is resolved against.
 *
 * @param folder where relative paths start from
 * @param ranks data-parallel ranks of the command line, in the place of {@code topology.dp}; 0: none given
 */
record Surroundings(Path folder, SourceCheck sources, int ranks, Problems problems) {}
