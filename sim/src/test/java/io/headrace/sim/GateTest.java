package io.headrace.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.engine.cost.learn.RankWork;
import io.headrace.engine.schedule.rebalance.Candidate;
import io.headrace.engine.schedule.rebalance.Decision;
import io.headrace.engine.schedule.rebalance.Exchange;
import io.headrace.engine.schedule.rebalance.Piece;
import io.headrace.engine.schedule.rebalance.RebalanceGate;
import io.headrace.sim.workload.SimSample;
import io.headrace.sim.workload.Workload;
import io.headrace.sim.workload.Workloads;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The gate against rebalancing always and never, with links of several speeds, where predicted costs are off by some per cent. */
class GateTest {

    private static final int STEPS = 200;
    private static final int ROWS = 6;
    private static final double STEP_NANOS = 500e6;

    private static Stream<String> workloads() {
        return Workloads.all().stream().map(Workload::id);
    }

    private record Totals(double gate, double always, double never) {}

    @ParameterizedTest
    @MethodSource("workloads")
    void theGateBeatsAlwaysAndNever(String id) {
        double gate = 0;
        double always = 0;
        double never = 0;
        for (double bytesPerNano : new double[] {0.1, 1, 10}) {
            Totals totals = run(Workloads.of(id), bytesPerNano);
            assertThat(totals.gate())
                    .as("%s at %s GB/s: %s", id, bytesPerNano, totals)
                    .isLessThanOrEqualTo(1.001 * Math.min(totals.always(), totals.never()));
            gate += totals.gate();
            always += totals.always();
            never += totals.never();
        }
        boolean even = never < always && gate == never;
        assertThat(gate).isLessThan(always);
        assertThat(gate < never || even).as("%s: gate %s, never %s", id, gate, never).isTrue();
    }

    private static Totals run(Workload workload, double bytesPerNano) {
        RebalanceGate gate =
                new RebalanceGate(new RebalanceGate.Settings(200_000, bytesPerNano, 0.01));
        double nanosPerUnit = STEP_NANOS / meanLoad(workload);
        double byGate = 0;
        double always = 0;
        double never = 0;
        for (int step = 0; step < STEPS; step++) {
            List<List<Piece>> predicted = new ArrayList<>();
            double[][] real = new double[Workload.RANKS][ROWS];
            for (int rank = 0; rank < Workload.RANKS; rank++) {
                List<Piece> pieces = new ArrayList<>();
                for (int row = 0; row < ROWS; row++) {
                    long index = ((long) step * Workload.RANKS + rank) * ROWS + row;
                    SimSample sample = workload.sample(17, index);
                    double cost = cost(workload, sample) * nanosPerUnit;
                    real[rank][row] = cost;
                    double off = 1 + 0.1 * (((index * 7919) % 101) / 101.0 - 0.5);
                    long bytes = 4L * sample.features().patches() * 588 + 1000;
                    pieces.add(new Piece(rank, row, cost * off, bytes));
                }
                predicted.add(pieces);
            }
            Decision decision = gate.decide(step, predicted, 0.03);
            never += time(real, List.of());
            Candidate all =
                    decision.candidates().isEmpty() ? null : decision.candidates().getLast();
            always +=
                    all == null
                            ? time(real, List.of())
                            : time(real, all.exchanges()) + all.costNanos();
            Candidate chosen = decision.chosen();
            byGate += time(real, decision.exchanges()) + (chosen == null ? 0 : chosen.costNanos());
        }
        return new Totals(byGate, always, never);
    }

    private static double cost(Workload workload, SimSample sample) {
        return workload.compute(RankWork.NONE.plus(sample.features()))
                - workload.compute(RankWork.NONE);
    }

    private static double meanLoad(Workload workload) {
        double sum = 0;
        for (long index = 0; index < 5000; index++) {
            sum += cost(workload, workload.sample(17, index));
        }
        return sum / 5000 * ROWS;
    }

    /** Time of the slowest rank after the exchanges, by real costs. */
    private static double time(double[][] real, List<Exchange> exchanges) {
        double[][] now = new double[real.length][];
        for (int rank = 0; rank < real.length; rank++) {
            now[rank] =
                    new double[] {
                        Stream.of(real[rank]).flatMapToDouble(java.util.Arrays::stream).sum()
                    };
        }
        int[][] where = new int[real.length * ROWS][1];
        for (int i = 0; i < where.length; i++) {
            where[i][0] = i / ROWS;
        }
        for (Exchange exchange : exchanges) {
            int heavy = exchange.heavy().rank() * ROWS + exchange.heavy().sequence();
            int light = exchange.light().rank() * ROWS + exchange.light().sequence();
            double shift =
                    real[exchange.heavy().rank()][exchange.heavy().sequence()]
                            - real[exchange.light().rank()][exchange.light().sequence()];
            now[where[heavy][0]][0] -= shift;
            now[where[light][0]][0] += shift;
            int from = where[heavy][0];
            where[heavy][0] = where[light][0];
            where[light][0] = from;
        }
        return Stream.of(now).mapToDouble(rank -> rank[0]).max().orElseThrow();
    }
}
