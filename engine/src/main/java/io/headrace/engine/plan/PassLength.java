package io.headrace.engine.plan;

import io.headrace.engine.recipe.BatchSpec;
import io.headrace.engine.recipe.MixtureSpec.Exhaustion;
import io.headrace.engine.recipe.OrderSpec;
import io.headrace.engine.recipe.Recipe;
import java.util.OptionalLong;

/** How many steps a pass has, where sizes alone tell: a batch of samples, an end, and every source drawn to its own end. */
public final class PassLength {

    private PassLength() {}

    /** The number of steps; empty for a pass without an end, and where it depends on packing or on which source ends first. */
    public static OptionalLong of(Recipe recipe, Catalog catalog) {
        boolean oneSource = recipe.usedSources().size() == 1;
        boolean toTheEnd = recipe.mixture().exhaustion() == Exhaustion.STOP_ALL || oneSource;
        boolean oneStage = recipe.mixture().stages().size() == 1;
        if (recipe.order().epochs() < 1
                || !toTheEnd
                || !oneStage
                || !(recipe.batch() instanceof BatchSpec.Samples batch)) {
            return OptionalLong.empty();
        }
        long samples = 0;
        for (int source = 0; source < catalog.sources(); source++) {
            if (recipe.mixture().uses(source)) {
                samples += catalog.size(source) * recipe.order().epochs();
            }
        }
        return OptionalLong.of(
                recipe.order().last() == OrderSpec.Last.PAD
                        ? Math.ceilDiv(samples, batch.samples())
                        : samples / batch.samples());
    }
}
