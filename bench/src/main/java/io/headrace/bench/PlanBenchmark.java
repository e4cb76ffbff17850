package io.headrace.bench;

import io.headrace.engine.cost.Features;
import io.headrace.engine.descriptor.SampleRef;
import io.headrace.engine.plan.Catalog;
import io.headrace.engine.plan.Members;
import io.headrace.engine.plan.Membership;
import io.headrace.engine.plan.MembershipState;
import io.headrace.engine.plan.Planner;
import io.headrace.engine.plan.StepCost;
import io.headrace.engine.plan.StepPlan;
import io.headrace.engine.plan.order.Hash64;
import io.headrace.engine.recipe.BatchSpec;
import io.headrace.engine.recipe.MixtureSpec;
import io.headrace.engine.recipe.MixtureSpec.Exhaustion;
import io.headrace.engine.recipe.MixtureSpec.Ramp;
import io.headrace.engine.recipe.MixtureSpec.Stage;
import io.headrace.engine.recipe.MixtureSpec.Unit;
import io.headrace.engine.recipe.OrderSpec;
import io.headrace.engine.recipe.PlanSpec;
import io.headrace.engine.recipe.PlanSpec.Cost;
import io.headrace.engine.recipe.PlanSpec.Method;
import io.headrace.engine.recipe.PlanSpec.Over;
import io.headrace.engine.recipe.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Time of one step of membership, and of one plan, over a made-up catalog of four sources of a million samples whose lengths are
 * those of mixed captions and chats: 16 to 8,192 tokens, each octave alike. Prints the imbalance of the plan it timed. On a machine
 * with other work the low percentiles are the ones to compare.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PlanBenchmark {

    private static final long SEED = 1;

    /** Ranks x rows a rank; of packs or samples. */
    @Param({"8x64 samples", "8x8 packs", "64x16 packs", "512x16 packs"})
    String shape = "";

    @Param({"GREEDY", "KARMARKAR_KARP"})
    Method method = Method.GREEDY;

    private Membership membership = membership(new BatchSpec.Samples(1, 1));
    private MembershipState state = membership.start();
    private Members members = new Members(0, List.of(), List.of());
    private Planner planner = planner(Method.GREEDY);
    private Topology topology = new Topology(1, 1, 1, 1);

    @Setup
    public void setUp() {
        int ranks = Integer.parseInt(shape.substring(0, shape.indexOf('x')));
        int rows =
                ranks
                        * Integer.parseInt(
                                shape.substring(shape.indexOf('x') + 1, shape.indexOf(' ')));
        membership =
                membership(
                        shape.endsWith("packs")
                                ? new BatchSpec.Packs(rows, 8192, 4)
                                : new BatchSpec.Samples(rows, 4));
        state = membership.at(3);
        members = ((Membership.Outcome.Step) membership.next(state)).members();
        planner = planner(method);
        topology = new Topology(ranks, 1, 1, 1);
        System.out.printf(
                "%n%s %s: max/mean of the ranks %.4f, dealt out in turn %.4f%n",
                shape, method, imbalance(method), imbalance(Method.ROUND_ROBIN));
    }

    /** One step of the fold, with the features of each sample. */
    @Benchmark
    public Membership.Outcome nextStep() {
        Membership.Outcome outcome = membership.next(state);
        if (outcome instanceof Membership.Outcome.Step step) {
            state = step.next();
        }
        return outcome;
    }

    /** Ranks, microbatches and exact cover of one step. */
    @Benchmark
    public StepPlan plan() {
        return planner.plan(members, topology);
    }

    private double imbalance(Method balance) {
        return StepCost.of(planner(balance).plan(members, topology), spec(balance)).imbalance();
    }

    private static Planner planner(Method method) {
        return new Planner(spec(method), 4);
    }

    private static PlanSpec spec(Method method) {
        return new PlanSpec(new Cost(1, 2e-5), new Cost(1, 1e-5), method, Over.HYBRID);
    }

    private static Membership membership(BatchSpec batch) {
        List<Stage> stages = new ArrayList<>();
        stages.add(new Stage(0, List.of(6.0, 3.0, 1.0, 2.0), Ramp.STEP));
        return new Membership(
                SEED,
                new MixtureSpec(Unit.TOKENS, stages, Exhaustion.REPEAT),
                new OrderSpec(OrderSpec.Kind.SHUFFLE, 1024, 16, 0, OrderSpec.Last.DROP),
                batch,
                new Octaves());
    }

    /** Lengths by hash: an octave, then a place in it. */
    private record Octaves() implements Catalog {
        @Override
        public int sources() {
            return 4;
        }

        @Override
        public long size(int source) {
            return 1_000_000;
        }

        @Override
        public Features features(SampleRef sample) {
            long hash = Hash64.derive(sample.source(), sample.index());
            int octave = 4 + (int) Math.unsignedMultiplyHigh(hash, 9);
            int tokens = (1 << octave) + (int) (hash & ((1L << octave) - 1));
            return new Features(tokens, 2 * tokens, 400L * tokens, 60L * tokens);
        }
    }
}
