package io.headrace.engine.plan;

import io.headrace.engine.descriptor.SampleRef;
import io.headrace.engine.plan.Membership.Outcome;
import io.headrace.engine.recipe.BatchSpec;
import io.headrace.engine.recipe.MixtureSpec;
import io.headrace.engine.recipe.MixtureSpec.Exhaustion;
import io.headrace.engine.recipe.MixtureSpec.Ramp;
import io.headrace.engine.recipe.MixtureSpec.Stage;
import io.headrace.engine.recipe.MixtureSpec.Unit;
import io.headrace.engine.recipe.OrderSpec;
import io.headrace.engine.recipe.OrderSpec.Kind;
import io.headrace.engine.recipe.OrderSpec.Last;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Shorthands of the tests: specs, and whole runs of a membership. */
final class Runs {

    static final OrderSpec ENDLESS = order(0, Last.DROP);

    private Runs() {}

    /** What a run gave, step by step, and how it ended; {@code end} is missing if it was cut off. */
    record Run(List<Members> steps, List<MembershipState> states, List<Outcome.End> ends) {
        List<SampleRef> delivered() {
            return steps.stream().flatMap(members -> members.delivered().stream()).toList();
        }

        List<SampleRef> tooLong() {
            List<SampleRef> all = new ArrayList<>();
            steps.forEach(members -> all.addAll(members.tooLong()));
            ends.forEach(end -> all.addAll(end.tooLong()));
            return all;
        }

        long fillers() {
            return steps.stream()
                    .flatMap(members -> members.all().stream())
                    .filter(Members.Member::filler)
                    .count();
        }
    }

    static OrderSpec order(int epochs, Last last) {
        return new OrderSpec(Kind.SHUFFLE, 4, 3, epochs, last);
    }

    static MixtureSpec mixture(Unit unit, Exhaustion exhaustion, Double... weights) {
        return new MixtureSpec(
                unit, List.of(new Stage(0, Arrays.asList(weights), Ramp.STEP)), exhaustion);
    }

    static MixtureSpec mixture(Unit unit, Stage... stages) {
        return new MixtureSpec(unit, List.of(stages), Exhaustion.REPEAT);
    }

    static BatchSpec samples(int samples) {
        return new BatchSpec.Samples(samples, 1);
    }

    static BatchSpec packs(int packs, int lengthTokens) {
        return new BatchSpec.Packs(packs, lengthTokens, 1);
    }

    /** At most {@code steps} steps from a state; {@code states} holds the state before each step and the last. */
    static Run run(Membership membership, MembershipState from, int steps) {
        Run run = new Run(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        MembershipState state = from;
        run.states.add(state);
        while (run.steps.size() < steps && run.ends.isEmpty()) {
            switch (membership.next(state)) {
                case Outcome.Step step -> {
                    run.steps.add(step.members());
                    state = step.next();
                    run.states.add(state);
                }
                case Outcome.End end -> run.ends.add(end);
            }
        }
        return run;
    }

    static Run run(Membership membership, int steps) {
        return run(membership, membership.start(), steps);
    }
}
