package io.headrace.engine.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headrace.engine.recipe.MixtureSpec;
import io.headrace.engine.recipe.MixtureSpec.Exhaustion;
import io.headrace.engine.recipe.MixtureSpec.Ramp;
import io.headrace.engine.recipe.MixtureSpec.Stage;
import io.headrace.engine.recipe.MixtureSpec.Unit;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class WeightsTest {

    private static final boolean[] BOTH = {true, true};

    private static Weights weights(Stage... stages) {
        return new Weights(Runs.mixture(Unit.SAMPLES, stages), stages[0].weights().size());
    }

    private static double share(Weights weights, long step, int source) {
        return (double) weights.at(step, BOTH)[source] / Weights.WHOLE;
    }

    @Test
    void aStepStageHoldsFromItsFirstStep() {
        Weights weights =
                weights(
                        new Stage(0, List.of(3.0, 1.0), Ramp.STEP),
                        new Stage(10, List.of(1.0, 1.0), Ramp.STEP));
        assertThat(share(weights, 9, 0)).isEqualTo(0.75);
        assertThat(share(weights, 10, 0)).isEqualTo(0.5);
        assertThat(weights.constantUntil(3)).isEqualTo(10);
        assertThat(weights.constantUntil(10)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aRampMovesSharesFromTheStageBeforeToItsOwnFirstStep() {
        Weights weights =
                weights(
                        new Stage(0, List.of(30.0, 10.0), Ramp.STEP),
                        new Stage(10, List.of(0.5, 0.5), Ramp.LINEAR),
                        new Stage(20, List.of(0.0, 1.0), Ramp.LINEAR));
        assertThat(share(weights, 0, 0)).isEqualTo(0.75);
        assertThat(share(weights, 5, 0)).isEqualTo(0.625);
        assertThat(share(weights, 10, 0)).isEqualTo(0.5);
        assertThat(share(weights, 19, 0)).isCloseTo(0.05, within(1e-8));
        assertThat(share(weights, 20, 0)).isZero();
        assertThat(weights.constantUntil(5)).isEqualTo(6);
    }

    @Test
    void sharesAddUpExactlyAndASmallOneIsNeverLost() {
        boolean[] open = new boolean[7];
        Arrays.fill(open, true);
        Weights weights =
                weights(new Stage(0, List.of(1e-12, 1.0, 3.0, 1e6, 0.0, 7.0, 1e-30), Ramp.STEP));
        long[] shares = weights.at(0, open);
        assertThat(Arrays.stream(shares).sum()).isEqualTo(Weights.WHOLE);
        assertThat(shares[0]).isEqualTo(1);
        assertThat(shares[4]).isZero();
        assertThat(shares[6]).isEqualTo(1);
        assertThat(weights.everUsed(4)).isFalse();
        assertThat(weights.everUsed(6)).isTrue();
    }

    @Test
    void closedSourcesLeaveTheirShareToTheOthers() {
        Weights weights = weights(new Stage(0, List.of(2.0, 1.0, 1.0), Ramp.STEP));
        assertThat(weights.at(0, new boolean[] {false, true, true}))
                .containsExactly(0, Weights.WHOLE / 2, Weights.WHOLE / 2);
        assertThat(weights.at(0, new boolean[3])).containsOnly(0);
    }

    @Test
    void refusesStagesThatMakeNoSense() {
        Stage first = new Stage(0, List.of(1.0, 1.0), Ramp.STEP);
        assertThatThrownBy(() -> weights(new Stage(5, List.of(1.0), Ramp.STEP)))
                .hasMessageContaining("starts at step 0");
        assertThatThrownBy(() -> weights(first, new Stage(0, List.of(1.0, 1.0), Ramp.STEP)))
                .hasMessageContaining("step 0 is not behind");
        assertThatThrownBy(() -> weights(first, new Stage(4, List.of(1.0), Ramp.STEP)))
                .hasMessageContaining("step 4 has 1 weights for 2 sources");
        assertThatThrownBy(() -> weights(new Stage(0, List.of(-1.0), Ramp.STEP)))
                .hasMessageContaining("Weight -1.0");
        assertThatThrownBy(() -> weights(new Stage(0, List.of(Double.NaN), Ramp.STEP)))
                .hasMessageContaining("Weight NaN");
        assertThatThrownBy(
                        () ->
                                new Weights(
                                        new MixtureSpec(Unit.SAMPLES, List.of(), Exhaustion.REPEAT),
                                        1))
                .hasMessageContaining("first stage");
    }
}
