package io.headrace.engine.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headrace.engine.descriptor.SampleRef;
import io.headrace.engine.plan.Runs.Run;
import io.headrace.engine.recipe.BatchSpec;
import io.headrace.engine.recipe.MixtureSpec.Exhaustion;
import io.headrace.engine.recipe.MixtureSpec.Unit;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckpointTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    private static Membership membership() {
        return membership(Unit.TOKENS, Runs.packs(64, 2048));
    }

    private static Membership membership(Unit unit, BatchSpec batch) {
        return new Membership(
                8,
                Runs.mixture(unit, Exhaustion.REPEAT, 5.0, 3.0, 0.0),
                Runs.ENDLESS,
                batch,
                GivenCatalog.random(8, 1500, 5000, 300, 10));
    }

    @Test
    void jsonKeepsIt() throws JsonProcessingException {
        Membership membership = membership();
        Run run = Runs.run(membership, 5);
        Checkpoint saved = membership.checkpoint(run.states().get(3));
        String text = JSON.writeValueAsString(saved);
        System.out.println(text);
        assertThat(saved.state().carry()).hasSizeBetween(1, Membership.MAX_CARRY);
        assertThat(text).hasSizeLessThan(2000);
        Checkpoint read = JSON.readValue(text, Checkpoint.class);
        assertThat(read).isEqualTo(saved);
        assertThat(Runs.run(membership(), membership().resume(read), 2).steps())
                .isEqualTo(run.steps().subList(3, 5));
    }

    /** The recipe may change between runs; what was drawn before is neither lost nor repeated. */
    @Test
    void anotherBatchOrUnitGoesOnWithoutLoss() {
        Run run = Runs.run(membership(), 3);
        MembershipState state = run.states().getLast();
        Checkpoint saved = membership().checkpoint(state);
        List<SampleRef> carry = state.carry();
        Membership rows = membership(Unit.SAMPLES, Runs.samples(20));
        MembershipState resumed = rows.resume(saved);
        assertThat(resumed.credits()).containsOnly(0L);
        Run after = Runs.run(rows, resumed, 2);
        assertThat(after.delivered().subList(0, carry.size())).isEqualTo(carry);
        assertThat(after.states().get(1).carry()).isEqualTo(carry.subList(20, carry.size()));
        Membership fewer = membership(Unit.TOKENS, Runs.packs(2, 2048));
        Run slow = Runs.run(fewer, fewer.resume(saved), 20);
        assertThat(slow.delivered()).containsAll(carry);
        assertThat(slow.states().getLast().carry()).hasSizeLessThanOrEqualTo(8);
        Membership shorter = membership(Unit.TOKENS, Runs.packs(64, 20));
        assertThatThrownBy(() -> shorter.next(shorter.resume(saved)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("packs are now of 20");
    }

    /** A state far ahead needs no way back to the start: the next step is found from it alone. */
    @Test
    void stepOneMillionFollowsFromItsStateAlone() {
        Membership membership = membership();
        MembershipState early = Runs.run(membership, 3).states().getLast();
        MembershipState late =
                new MembershipState(
                        1_000_000,
                        early.positions().stream().map(p -> p + 5000L * 40_000).toList(),
                        early.credits(),
                        early.carry());
        Run run = Runs.run(membership, late, 4);
        assertThat(run.steps())
                .extracting(Members::step)
                .containsExactly(1_000_000L, 1_000_001L, 1_000_002L, 1_000_003L);
        assertThat(run.steps().getFirst().delivered()).containsAll(early.carry());
    }
}
