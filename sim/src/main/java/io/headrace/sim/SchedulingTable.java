package io.headrace.sim;

import io.headrace.engine.recipe.PlanSpec.Method;
import io.headrace.sim.workload.Workload;
import io.headrace.sim.workload.Workloads;
import java.io.PrintStream;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Prints the eleven workloads under every policy as Markdown: {@code java -cp 'app/target/lib/*' io.headrace.sim.SchedulingTable}. The same
 * figures in every run.
 */
public final class SchedulingTable {

    private static final int STEPS = 120;
    private static final int WARM_UP = 20;
    private static final int CORES = 8;
    private static final int READY_AHEAD = 2;
    private static final long SEED = 17;
    private static final double MISS_NANOS = 2e6;

    private final PrintStream out;

    private SchedulingTable(PrintStream out) {
        this.out = out;
    }

    public static void main(String[] arguments) {
        new SchedulingTable(System.out).print();
    }

    private void print() {
        out.printf(
                """
                # Scheduling in simulation

                `java -cp 'app/target/lib/*' io.headrace.sim.SchedulingTable`, after `./headrace build`. %d ranks on %d cores, %d steps, %d ahead, seed %d; balanced plans, the same for all policies; what is
                modelled is in [simulation](../simulation.md).
                """,
                Workload.RANKS, CORES, STEPS, READY_AHEAD, SEED);
        for (double rho : new double[] {0.5, 0.9, 1, 2, 4}) {
            out.printf(Locale.ROOT, "%n## Time lost to input, in %% of the run, rho %s%n", rho);
            table(rho, report -> 100 * report.lostNanos() / report.durationNanos(), "%.2f");
        }
        out.printf(
                "%n## (Rank, step) pairs that wait more than 2 ms of %d, rho 0.9, without the first %d steps%n",
                Workload.RANKS * (STEPS - WARM_UP), WARM_UP);
        table(0.9, report -> (double) report.misses(WARM_UP, MISS_NANOS), "%.0f");
    }

    private void table(double rho, ToDoubleFunction<SimReport> value, String format) {
        StringBuilder head = new StringBuilder("| |");
        StringBuilder rule = new StringBuilder("| --- |");
        for (SimPolicy policy : SimPolicy.values()) {
            head.append(' ').append(policy.name().toLowerCase(Locale.ROOT)).append(" |");
            rule.append(" --- |");
        }
        out.println(head);
        out.println(rule);
        for (Workload workload : Workloads.all()) {
            WorkloadRun run = new WorkloadRun(workload, SEED, STEPS, Method.KARMARKAR_KARP);
            StringBuilder row = new StringBuilder("| " + workload.id() + " |");
            for (SimPolicy policy : SimPolicy.values()) {
                SimHost host = new SimHost(policy, CORES, Workload.RANKS, READY_AHEAD, true);
                double found = value.applyAsDouble(run.run(host, rho));
                row.append(' ').append(String.format(Locale.ROOT, format, found)).append(" |");
            }
            out.println(row);
        }
    }
}
