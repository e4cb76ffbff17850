package io.headrace.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.engine.recipe.PlanSpec.Method;
import io.headrace.sim.workload.Workload;
import io.headrace.sim.workload.Workloads;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What scheduling by deadlines gains on each workload over queues that know none, with the same plans and the same cores. */
class SchedulingClaimsTest {

    private static final int STEPS = 120;

    /** As the benchmark: left out of misses, since nothing is learnt yet. */
    private static final int WARM_UP = 20;

    private static final double MISS_NANOS = 2e6;
    private static final long[] SEEDS = {5, 17, 99};
    private static final SimPolicy[] OTHERS = {
        SimPolicy.FIFO, SimPolicy.RANK_LOCAL, SimPolicy.QUOTA
    };

    private static Stream<String> workloads() {
        return Workloads.all().stream().map(Workload::id);
    }

    private static SimHost host(SimPolicy policy, int cores) {
        return new SimHost(policy, cores, Workload.RANKS, 2, true);
    }

    @ParameterizedTest
    @MethodSource("workloads")
    void deadlinesNeverStallLongerInTotal(String id) {
        for (long seed : SEEDS) {
            WorkloadRun run = new WorkloadRun(Workloads.of(id), seed, STEPS, Method.KARMARKAR_KARP);
            for (int cores : new int[] {8, 16}) {
                for (double rho : new double[] {0.5, 1, 2, 4}) {
                    compare(run, cores, rho, "%s, seed %d".formatted(id, seed));
                }
            }
        }
    }

    private static void compare(WorkloadRun run, int cores, double rho, String name) {
        double own = run.run(host(SimPolicy.DEADLINE, cores), rho).stallNanos(0);
        for (SimPolicy other : OTHERS) {
            assertThat(own)
                    .as("%s, rho %s, %d cores, against %s", name, rho, cores, other)
                    .isLessThanOrEqualTo(run.run(host(other, cores), rho).stallNanos(0));
        }
    }

    @ParameterizedTest
    @MethodSource("workloads")
    void deadlinesNeverMissMoreWhereCoresSuffice(String id) {
        Map<SimPolicy, Long> misses = new EnumMap<>(SimPolicy.class);
        for (long seed : SEEDS) {
            WorkloadRun run = new WorkloadRun(Workloads.of(id), seed, STEPS, Method.KARMARKAR_KARP);
            for (double rho : new double[] {0.5, 0.9}) {
                for (SimPolicy policy : SimPolicy.values()) {
                    SimReport report = run.run(host(policy, 8), rho);
                    misses.merge(policy, report.misses(WARM_UP, MISS_NANOS), Long::sum);
                }
            }
        }
        for (SimPolicy other : OTHERS) {
            assertThat(misses.get(SimPolicy.DEADLINE))
                    .as("%s: %s", id, misses)
                    .isLessThanOrEqualTo(misses.get(other));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"W1", "W2", "W6", "W9"})
    void runsRepeatExactlyAndDecodeEverySampleOnce(String id) {
        WorkloadRun run = new WorkloadRun(Workloads.of(id), 3, 30, Method.KARMARKAR_KARP);
        SimHost host = new SimHost(SimPolicy.DEADLINE, 8, Workload.RANKS, 2, false);
        SimReport first = run.run(host, 1);
        assertThat(run.run(host, 1).steps()).isEqualTo(first.steps());
        assertThat(run.run(host(SimPolicy.FIFO, 8), 1).decoded()).isEqualTo(first.decoded());
        assertThat(first.steps()).hasSize(30);
    }

    @ParameterizedTest
    @ValueSource(strings = {"W1", "W5", "W6", "W10"})
    void anAcceleratorThatChangesItsSpeedIsFollowedWithinTwentySteps(String id) {
        for (double factor : new double[] {2, 0.5}) {
            WorkloadRun run = new WorkloadRun(Workloads.of(id), 17, 120, Method.KARMARKAR_KARP);
            SimReport report =
                    run.run(host(SimPolicy.DEADLINE, 8), 0.3, step -> step < 60 ? 1 : factor);
            assertThat(meanError(report, 40, 60)).as(id + " before").isLessThan(0.08);
            assertThat(meanError(report, 60, 64)).as(id + " in the change").isGreaterThan(0.3);
            assertThat(meanError(report, 80, 120)).as(id + " after").isLessThan(0.08);
        }
    }

    private static double meanError(SimReport report, int from, int to) {
        return report.steps().subList(from, to).stream()
                .mapToDouble(s -> Math.abs(s.predictedNanos() - s.windowNanos()) / s.windowNanos())
                .average()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"W1", "W6", "W9"})
    void cpuTimesAreLearntFromDescriptors(String id) {
        WorkloadRun run = new WorkloadRun(Workloads.of(id), 17, 60, Method.KARMARKAR_KARP);
        SimReport report = run.run(new SimHost(SimPolicy.DEADLINE, 8, 8, 2, false), 0.9);
        assertThat(report.cpu().quantile(0.5)).isLessThan(0.16);
        assertThat(report.cpu().quantile(0.95)).isLessThan(0.5);
    }
}
