package io.headrace.app.simulate;

import io.headrace.engine.cost.learn.CpuModel;
import io.headrace.engine.cost.learn.CpuWork;
import io.headrace.engine.cost.learn.RankWork;
import io.headrace.engine.descriptor.Descriptor;
import io.headrace.engine.descriptor.SampleRef;
import io.headrace.engine.plan.order.Hash64;
import io.headrace.engine.recipe.PlanSpec;
import io.headrace.engine.recipe.Recipe;
import io.headrace.runtime.construct.shape.CpuParts;
import io.headrace.runtime.construct.shape.MediaProcessors;
import io.headrace.runtime.construct.shape.SampleShaper;
import io.headrace.runtime.job.engine.IndexedSources;
import io.headrace.sim.SimCosts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Costs of a recipe's samples: CPU time by the usual rates of codecs with a deviation of each sample that no descriptor tells, compute by
 * the recipe's formulas. Both are scaled to what a job takes. Single-threaded.
 */
public final class RecipeCosts implements SimCosts {

    /** A sample takes up to so much more or less than its descriptor tells. */
    private static final double DEVIATION = 0.2;

    private final IndexedSources sources;
    private final SampleShaper shaper;
    private final CpuParts parts;
    private final PlanSpec spec;
    private final long seed;
    private final CpuModel usual = new CpuModel();
    private final Map<SampleRef, Known> known = new HashMap<>();
    private double cpuScale = 1;
    private double computeScale = 1;

    private record Known(List<CpuWork> work, double nanos) {}

    public RecipeCosts(Recipe recipe, IndexedSources sources) {
        this.sources = sources;
        this.shaper =
                new SampleShaper(
                        recipe.process(), recipe.batch(), MediaProcessors.of(recipe.process()));
        this.parts = new CpuParts(recipe.process());
        this.spec = recipe.plan();
        this.seed = recipe.seed();
    }

    /** Multiplies CPU times. */
    public void scaleCpu(double factor) {
        cpuScale *= factor;
    }

    /** Multiplies compute windows. */
    public void scaleCompute(double factor) {
        computeScale *= factor;
    }

    private Known known(SampleRef sample) {
        return known.computeIfAbsent(
                sample,
                ref -> {
                    Descriptor descriptor = sources.descriptor(ref);
                    List<CpuWork> work = parts.of(descriptor, shaper.shape(descriptor));
                    long hash = Hash64.derive(seed ^ ref.index(), ref.source());
                    double off = (hash >>> 11) * 0x1p-52 - 1;
                    return new Known(work, usual.predictNanos(work) * (1 + DEVIATION * off));
                });
    }

    @Override
    public List<CpuWork> cpuWork(SampleRef sample) {
        return known(sample).work();
    }

    @Override
    public double cpuNanos(SampleRef sample) {
        return cpuScale * Math.max(1, known(sample).nanos());
    }

    @Override
    public int pieces(SampleRef sample) {
        return 1;
    }

    @Override
    public double computeNanos(long step, RankWork work) {
        return computeScale
                * (spec.encoder().linear() * work.patches()
                        + spec.encoder().quadratic() * work.patchesSquared()
                        + spec.backbone().linear() * work.tokens()
                        + spec.backbone().quadratic() * work.tokensSquared());
    }
}
