package io.headrace.app.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.engine.cost.Features;
import io.headrace.engine.cost.learn.CpuKey;
import io.headrace.engine.cost.learn.CpuWork;
import io.headrace.engine.cost.learn.RankWork;
import io.headrace.engine.descriptor.Codec;
import io.headrace.engine.descriptor.SampleRef;
import io.headrace.engine.plan.Catalog;
import io.headrace.engine.plan.Membership;
import io.headrace.engine.recipe.BatchSpec;
import io.headrace.engine.recipe.MixtureSpec;
import io.headrace.engine.recipe.OrderSpec;
import io.headrace.engine.recipe.PlanSpec;
import io.headrace.sim.SimCosts;
import io.headrace.sim.SimPlans;
import java.util.List;
import org.junit.jupiter.api.Test;

class CoreSearchTest {

    private static final int RANKS = 16;
    private static final int RANKS_PER_HOST = 4;
    private static final double MILLI = 1e6;

    /** Samples of 10 ms: a host of 4 ranks with 8 samples each has 320 ms of work in a window of 100 ms. */
    private static final class Even implements Catalog, SimCosts {
        @Override
        public int sources() {
            return 1;
        }

        @Override
        public long size(int source) {
            return 10_000;
        }

        @Override
        public Features features(SampleRef sample) {
            return new Features(100, 0, 1_000_000, 1000);
        }

        @Override
        public List<CpuWork> cpuWork(SampleRef sample) {
            CpuKey key = new CpuKey(Codec.JPEG, CpuKey.Operation.DECODE);
            return List.of(new CpuWork(key, 1e6, 1000, 1000));
        }

        @Override
        public double cpuNanos(SampleRef sample) {
            return 10 * MILLI;
        }

        @Override
        public int pieces(SampleRef sample) {
            return 1;
        }

        @Override
        public double computeNanos(long step, RankWork work) {
            return 100 * MILLI;
        }
    }

    private static CoreSearch search() {
        Even even = new Even();
        Membership membership =
                new Membership(
                        17,
                        new MixtureSpec(
                                MixtureSpec.Unit.SAMPLES,
                                List.of(
                                        new MixtureSpec.Stage(
                                                0, List.of(1.0), MixtureSpec.Ramp.STEP)),
                                MixtureSpec.Exhaustion.REPEAT),
                        new OrderSpec(OrderSpec.Kind.SHUFFLE, 16, 8, 0, OrderSpec.Last.DROP),
                        new BatchSpec.Samples(8 * RANKS, 1),
                        even);
        PlanSpec spec =
                new PlanSpec(
                        new PlanSpec.Cost(1, 0),
                        new PlanSpec.Cost(1, 0),
                        PlanSpec.Method.KARMARKAR_KARP,
                        PlanSpec.Over.HYBRID);
        SimPlans plans = new SimPlans(membership, spec, 1, RANKS);
        return new CoreSearch(new CoreSearch.Job(plans, even, RANKS_PER_HOST, 2, 40, 10));
    }

    @Test
    void theLeastCoresThatSufficeAreFound() {
        CoreSearch.Found found = search().search(32, 0.01);
        assertThat(found.enough()).isEqualTo(4);
        assertThat(found.rows()).extracting(CoreSearch.Row::cores).contains(1, 2, 3, 4, 5, 6, 8);
        CoreSearch.Row three =
                found.rows().stream().filter(row -> row.cores() == 3).findFirst().orElseThrow();
        assertThat(three.deadline()).as("320 ms on 3 cores, 100 ms").isBetween(0.05, 0.15);
    }

    @Test
    void tooFewCoresAreSaidSo() {
        CoreSearch.Found found = search().search(2, 0.01);
        assertThat(found.enough()).isZero();
        assertThat(found.rows().getLast().cores()).isEqualTo(2);
        assertThat(found.rows().getLast().deadline()).isGreaterThan(0.3);
    }

    @Test
    void thePictureNamesWhatItShows() {
        CoreSearch.Found found = search().search(8, 0.01);
        String svg = StallPlot.of("recipe.yaml: 16 ranks & more", found, 0.01);
        assertThat(svg)
                .startsWith("<svg xmlns=")
                .endsWith("</svg>\n")
                .contains("16 ranks &amp; more", ">deadlines<", ">FIFO<", ">rank-local<");
        assertThat(svg.split("<polyline", -1)).hasSize(4);
    }
}
