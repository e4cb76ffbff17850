package io.headrace.engine.plan;

import io.headrace.engine.descriptor.SampleRef;
import io.headrace.engine.plan.Members.Member;
import io.headrace.engine.plan.StepPlan.Microbatch;
import io.headrace.engine.plan.StepPlan.Rank;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks that a plan holds the members of its step, each exactly once, before anything is loaded. A small source that repeats may
 * be in a step several times; then it is in the plan as often.
 */
public final class ExactCover {

    private ExactCover() {}

    private record Key(SampleRef sample, boolean filler) {}

    /**
     * Returns if every member has exactly one place.
     *
     * @throws IllegalStateException naming the first sample that is left out, doubled or not of the step, with its places
     */
    public static void check(Members members, StepPlan plan) {
        if (members.step() != plan.step()) {
            throw new IllegalStateException(
                    "Plan of step %d for members of step %d"
                            .formatted(plan.step(), members.step()));
        }
        Map<Key, Integer> open = new LinkedHashMap<>();
        for (Member member : members.all()) {
            open.merge(new Key(member.sample(), member.filler()), 1, Integer::sum);
        }
        for (Rank rank : plan.ranks()) {
            for (Microbatch microbatch : rank.microbatches()) {
                for (Placement placement : microbatch.placements()) {
                    open.merge(new Key(placement.sample(), placement.filler()), -1, Integer::sum);
                }
            }
        }
        open.forEach(
                (key, left) -> {
                    if (left != 0) {
                        throw broken(key, left, plan);
                    }
                });
    }

    private static IllegalStateException broken(Key key, int left, StepPlan plan) {
        List<String> places = places(key, plan);
        return new IllegalStateException(
                "Plan of step %d holds %s source %d sample %d %d times instead of %d; places: %s"
                        .formatted(
                                plan.step(),
                                key.filler ? "filler" : "member",
                                key.sample.source(),
                                key.sample.index(),
                                places.size(),
                                places.size() + left,
                                places.isEmpty() ? "none" : String.join(", ", places)));
    }

    private static List<String> places(Key key, StepPlan plan) {
        List<String> places = new ArrayList<>();
        for (Rank rank : plan.ranks()) {
            for (int m = 0; m < rank.microbatches().size(); m++) {
                for (Placement placement : rank.microbatches().get(m).placements()) {
                    if (new Key(placement.sample(), placement.filler()).equals(key)) {
                        places.add(
                                "rank %d microbatch %d row %d offset %d"
                                        .formatted(
                                                rank.rank(),
                                                m,
                                                placement.row(),
                                                placement.offsetTokens()));
                    }
                }
            }
        }
        return places;
    }
}
