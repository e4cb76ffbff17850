package io.headrace.engine.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.engine.plan.Members.Member;
import io.headrace.engine.plan.Members.Row;
import io.headrace.engine.plan.order.SourceOrder;
import io.headrace.engine.recipe.BatchSpec;
import io.headrace.engine.recipe.MixtureSpec.Ramp;
import io.headrace.engine.recipe.MixtureSpec.Stage;
import io.headrace.engine.recipe.MixtureSpec.Unit;
import io.headrace.engine.recipe.OrderSpec;
import io.headrace.engine.recipe.OrderSpec.Kind;
import io.headrace.engine.recipe.OrderSpec.Last;
import io.headrace.engine.recipe.PlanSpec;
import io.headrace.engine.recipe.PlanSpec.Cost;
import io.headrace.engine.recipe.PlanSpec.Method;
import io.headrace.engine.recipe.PlanSpec.Over;
import io.headrace.engine.recipe.Topology;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * The order of samples, written down. A difference here is a change of ORDER: a job resumed under the new code would see other samples
 * than it would have, some twice, some never. If that is meant, say ORDER in the commit, raise {@link Checkpoint#FORMAT} so that old
 * checkpoints are refused, and replace {@code order/golden.txt} by what the test prints. Differences in the lines of plans alone move
 * samples between ranks, not between steps, and need no new format.
 */
class OrderGoldenTest {

    private static final long SEED = 20_251_111;

    @Test
    void theOrderOfSamplesIsTheOneWrittenDown() throws IOException {
        String present = orders() + membership(Runs.samples(6)) + membership(Runs.packs(4, 64));
        if (!present.equals(golden())) {
            System.out.println(present);
        }
        assertThat(present)
                .as("ORDER: the samples of running jobs would change; see the class comment")
                .isEqualTo(golden());
    }

    private static String golden() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(
                        OrderGoldenTest.class.getResourceAsStream("/order/golden.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String orders() {
        StringBuilder text = new StringBuilder();
        for (int size : new int[] {1, 7, 23, 1000}) {
            SourceOrder order =
                    new SourceOrder(size, new OrderSpec(Kind.SHUFFLE, 4, 3, 0, Last.DROP), SEED);
            for (int epoch = 0; epoch < 2; epoch++) {
                long from = (long) epoch * size;
                text.append("size %d epoch %d:".formatted(size, epoch));
                LongStream.range(from, from + Math.min(size, 24))
                        .forEach(position -> text.append(' ').append(order.sample(position)));
                text.append('\n');
            }
        }
        return text.toString();
    }

    private static String membership(BatchSpec batch) {
        StringBuilder text = new StringBuilder();
        for (Unit unit : Unit.values()) {
            Membership membership =
                    new Membership(
                            SEED,
                            Runs.mixture(
                                    unit,
                                    new Stage(0, List.of(6.0, 3.0, 1.0), Ramp.STEP),
                                    new Stage(8, List.of(1.0, 0.0, 2.5), Ramp.LINEAR)),
                            Runs.ENDLESS,
                            batch,
                            GivenCatalog.random(SEED, 40, 50, 9, 30));
            Runs.run(membership, 10).steps().forEach(step -> text.append(line(step, unit)));
            text.append("state: ").append(membership.at(10)).append('\n');
        }
        return text.toString();
    }

    private static String line(Members members, Unit unit) {
        PlanSpec spec =
                new PlanSpec(
                        new Cost(1, 2e-5), new Cost(1, 1e-5), Method.KARMARKAR_KARP, Over.HYBRID);
        StepPlan plan = new Planner(spec, 1).plan(members, new Topology(2, 1, 1, 1));
        return "%s step %d: %s\n  plan: %s%n"
                .formatted(
                        unit,
                        members.step(),
                        members.rows().stream()
                                .map(OrderGoldenTest::row)
                                .collect(Collectors.joining(" | ")),
                        plan.ranks().stream()
                                .map(OrderGoldenTest::rank)
                                .collect(Collectors.joining(" | ")))
                .replace("\r\n", "\n");
    }

    private static String row(Row row) {
        return row.members().stream().map(OrderGoldenTest::name).collect(Collectors.joining(" "));
    }

    private static String name(Member member) {
        return member.sample().source() + "/" + member.sample().index();
    }

    private static String rank(StepPlan.Rank rank) {
        return rank.microbatches().getFirst().placements().stream()
                .map(p -> p.sample().source() + "/" + p.sample().index())
                .collect(Collectors.joining(" "));
    }
}
