package io.headrace.engine.schedule.rebalance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RebalanceGateTest {

    private static List<List<Piece>> ranks(double[]... costs) {
        List<List<Piece>> ranks = new ArrayList<>();
        for (double[] rank : costs) {
            List<Piece> pieces = new ArrayList<>();
            for (double cost : rank) {
                pieces.add(new Piece(ranks.size(), pieces.size(), cost, 1000));
            }
            ranks.add(pieces);
        }
        return ranks;
    }

    private static RebalanceGate gate(double alphaNanos, double margin) {
        return new RebalanceGate(new RebalanceGate.Settings(alphaNanos, 1, margin));
    }

    @Test
    void anExchangeThatGainsMoreThanItCostsIsMadeAndEveryCandidateIsKept() {
        Decision decision =
                gate(10, 0.01)
                        .decide(
                                7,
                                ranks(
                                        new double[] {50_000, 20_000, 20_000},
                                        new double[] {10_000, 10_000, 10_000}),
                                0);
        assertThat(decision.step()).isEqualTo(7);
        assertThat(decision.heaviestNanos()).isEqualTo(90_000);
        assertThat(decision.chosen()).isNotNull();
        Candidate first = decision.candidates().getFirst();
        assertThat(first.exchanges()).hasSize(1);
        assertThat(first.exchanges().getFirst().heavy().costNanos()).isEqualTo(50_000);
        assertThat(first.gainNanos()).isEqualTo(20_000);
        assertThat(first.costNanos()).isEqualTo(10 + 2000);
        assertThat(first.bytes()).isEqualTo(2000);
    }

    @Test
    void anExchangeThatCostsMoreThanItGainsIsNotMade() {
        Decision decision =
                gate(1_000_000, 0)
                        .decide(1, ranks(new double[] {50_000, 20_000}, new double[] {1, 2}), 0);
        assertThat(decision.candidates()).isNotEmpty();
        assertThat(decision.chosen()).isNull();
        assertThat(decision.exchanges()).isEmpty();
    }

    @Test
    void theMarginIsHalvedWhileTheGateIsOpen() {
        RebalanceGate gate = gate(0, 0.2);
        List<List<Piece>> little =
                ranks(new double[] {70_000, 30_000}, new double[] {52_000, 15_000});
        List<List<Piece>> much =
                ranks(new double[] {60_000, 50_000}, new double[] {10_000, 10_000});
        assertThat(gate.decide(1, little, 0).chosen()).as("net 13 %, closed").isNull();
        assertThat(gate.decide(2, much, 0).chosen()).as("net 32 %").isNotNull();
        Decision open = gate.decide(3, little, 0);
        assertThat(open.thresholdNanos()).isEqualTo(10_000);
        assertThat(open.chosen()).as("net 13 %, open").isNotNull();
    }

    @Test
    void evenRanksAndASingleRankAreLeftAlone() {
        assertThat(
                        gate(0, 0)
                                .decide(0, ranks(new double[] {5, 5}, new double[] {5, 5}), 0)
                                .chosen())
                .isNull();
        assertThat(gate(0, 0).decide(0, ranks(new double[] {5, 5}), 0).candidates()).isEmpty();
        assertThat(gate(0, 0).decide(0, ranks(new double[] {5}, new double[] {}), 0).candidates())
                .isEmpty();
    }

    @Test
    void aGainWithinTheErrorOfThePredictionsIsTakenForChance() {
        List<List<Piece>> little =
                ranks(new double[] {70_000, 30_000}, new double[] {52_000, 15_000});
        assertThat(gate(0, 0.01).decide(1, little, 0.01).chosen()).isNotNull();
        assertThat(gate(0, 0.01).decide(1, little, 0.2).chosen()).isNull();
    }
}
