package io.headrace.engine.plan;

import io.headrace.engine.cost.Features;
import io.headrace.engine.descriptor.SampleRef;
import io.headrace.engine.plan.order.Hash64;
import io.headrace.engine.plan.order.SourceOrder;
import io.headrace.engine.recipe.MixtureSpec.Exhaustion;
import io.headrace.engine.recipe.OrderSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The sources of a job as membership sees them: order, size and limit of each. A source that no stage weighs is never asked. */
final class Sources {

    private final Catalog catalog;

    /** Null for a source that is empty or never opened. */
    private final List<@Nullable SourceOrder> orders = new ArrayList<>();

    private final List<Long> sizes = new ArrayList<>();
    private final int passes;

    Sources(long seed, OrderSpec order, Exhaustion exhaustion, Weights weights, Catalog catalog) {
        this.catalog = catalog;
        this.passes =
                exhaustion == Exhaustion.REPEAT ? order.epochs() : Math.max(1, order.epochs());
        for (int source = 0; source < catalog.sources(); source++) {
            long size = weights.everUsed(source) ? catalog.size(source) : 0;
            sizes.add(size);
            orders.add(
                    size == 0 ? null : new SourceOrder(size, order, Hash64.derive(seed, source)));
        }
    }

    int count() {
        return sizes.size();
    }

    /** Samples of each source; 0 for those never opened. */
    List<Long> sizes() {
        return sizes;
    }

    /** Samples that a source gives over all its epochs. */
    long limit(int source) {
        long size = sizes.get(source);
        return passes == 0 && size > 0 ? Long.MAX_VALUE : Math.multiplyExact(size, passes);
    }

    SampleRef sample(int source, long position) {
        return new SampleRef(source, Objects.requireNonNull(orders.get(source)).sample(position));
    }

    Features features(SampleRef sample) {
        return catalog.features(sample);
    }
}
