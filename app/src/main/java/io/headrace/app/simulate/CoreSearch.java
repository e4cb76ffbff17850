package io.headrace.app.simulate;

import io.headrace.sim.SimCosts;
import io.headrace.sim.SimHost;
import io.headrace.sim.SimPlans;
import io.headrace.sim.SimPolicy;
import io.headrace.sim.SimReport;
import io.headrace.sim.TrainingSimulation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** How the stall of a job depends on the cores of its hosts. */
public final class CoreSearch {

    /** Points of the table beside the one that was looked for. */
    private static final double[] POINTS = {0.25, 0.5, 0.75, 0.9, 1, 1.25, 1.5, 2};

    private static final int NEIGHBOURS = 2;

    private final Job job;
    private final Map<Integer, Double> byDeadline = new TreeMap<>();

    /**
     * What is simulated.
     *
     * @param warmUp steps at the begin that are left out
     */
    public record Job(
            SimPlans plans, SimCosts costs, int ranksPerHost, int ready, int steps, int warmUp) {}

    /** Stall shares of one number of cores a host. */
    public record Row(int cores, double deadline, double fifo, double rankLocal) {}

    /**
     * What was found.
     *
     * @param enough the least cores a host whose stall is below the limit; 0 if there are none up to the most
     */
    public record Found(int enough, List<Row> rows) {
        public Found {
            rows = List.copyOf(rows);
        }
    }

    public CoreSearch(Job job) {
        this.job = job;
    }

    /** Looks for the least cores a host whose stall is below a share of the time. */
    public Found search(int mostCores, double limit) {
        int enough = 0;
        int low = 1;
        int high = mostCores;
        while (low <= high) {
            int middle = (low + high) / 2;
            if (deadline(middle) < limit) {
                enough = middle;
                high = middle - 1;
            } else {
                low = middle + 1;
            }
        }
        TreeSet<Integer> shown = new TreeSet<>();
        for (double point : POINTS) {
            double around = point * (enough == 0 ? mostCores : enough);
            shown.add(Math.clamp(Math.round(around), 1, mostCores));
        }
        for (int near = enough - NEIGHBOURS; enough > 0 && near <= enough + NEIGHBOURS; near++) {
            shown.add(Math.clamp(near, 1, mostCores));
        }
        List<Row> rows = new ArrayList<>();
        for (int cores : shown) {
            rows.add(
                    new Row(
                            cores,
                            deadline(cores),
                            stall(SimPolicy.FIFO, cores),
                            stall(SimPolicy.RANK_LOCAL, cores)));
        }
        return new Found(enough, rows);
    }

    private double deadline(int cores) {
        return byDeadline.computeIfAbsent(cores, c -> stall(SimPolicy.DEADLINE, c));
    }

    private double stall(SimPolicy policy, int cores) {
        SimHost host = new SimHost(policy, cores, job.ranksPerHost(), job.ready(), false);
        SimReport report = new TrainingSimulation(job.plans(), host, job.costs()).run(job.steps());
        return report.stallShare(Math.min(job.warmUp(), report.steps().size() - 1));
    }
}
