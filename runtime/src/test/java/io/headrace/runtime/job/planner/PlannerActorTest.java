package io.headrace.runtime.job.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.engine.cost.Features;
import io.headrace.engine.descriptor.SampleRef;
import io.headrace.engine.plan.Catalog;
import io.headrace.engine.plan.Checkpoint;
import io.headrace.engine.plan.Membership;
import io.headrace.engine.plan.Planner;
import io.headrace.engine.plan.StepPlan;
import io.headrace.engine.recipe.BatchSpec;
import io.headrace.engine.recipe.MixtureSpec;
import io.headrace.engine.recipe.OrderSpec;
import io.headrace.engine.recipe.PlanSpec;
import io.headrace.engine.recipe.Topology;
import io.headrace.runtime.job.planner.PlannerCommand.CheckpointReply;
import io.headrace.runtime.job.planner.PlannerCommand.PlanReply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Planner with its real journal: an H2 file. */
class PlannerActorTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir Path folder;

    private record TwoSources() implements Catalog {
        @Override
        public int sources() {
            return 2;
        }

        @Override
        public long size(int source) {
            return source == 0 ? 101 : 57;
        }

        @Override
        public Features features(SampleRef sample) {
            int tokens = 10 + (int) (sample.index() * 7 % 90);
            return new Features(tokens, 4 * tokens, 1000L * tokens, 100L * tokens);
        }
    }

    private static Membership membership(int epochs) {
        return new Membership(
                17,
                new MixtureSpec(
                        MixtureSpec.Unit.SAMPLES,
                        List.of(new MixtureSpec.Stage(0, List.of(3.0, 1.0), MixtureSpec.Ramp.STEP)),
                        epochs == 0
                                ? MixtureSpec.Exhaustion.REPEAT
                                : MixtureSpec.Exhaustion.STOP_ALL),
                new OrderSpec(OrderSpec.Kind.SHUFFLE, 8, 4, epochs, OrderSpec.Last.DROP),
                new BatchSpec.Samples(16, 2),
                new TwoSources());
    }

    private static Planner planner() {
        return new Planner(
                new PlanSpec(
                        new PlanSpec.Cost(1, 0),
                        new PlanSpec.Cost(1, 0.001),
                        PlanSpec.Method.KARMARKAR_KARP,
                        PlanSpec.Over.HYBRID),
                2);
    }

    private final class Running implements AutoCloseable {
        private final ActorTestKit kit;
        private final ActorRef<PlannerCommand> planner;
        private final TestProbe<PlanReply> plans;
        private final TestProbe<CheckpointReply> checkpoints;

        Running(int epochs, int ranks) throws IOException {
            kit =
                    ActorTestKit.create(
                            "planner-test", PlannerJournal.open(folder.resolve("planner")));
            planner =
                    kit.spawn(
                            PlannerActor.of(
                                    "job",
                                    membership(epochs),
                                    planner(),
                                    new Topology(ranks, 1, 1, 1)));
            plans = kit.createTestProbe(PlanReply.class);
            checkpoints = kit.createTestProbe(CheckpointReply.class);
        }

        PlanReply plan(long step) {
            planner.tell(new PlannerCommand.PlanStep(step, plans.getRef()));
            return plans.receiveMessage(PATIENCE);
        }

        CheckpointReply checkpoint(long step) {
            planner.tell(new PlannerCommand.CheckpointBefore(step, checkpoints.getRef()));
            return checkpoints.receiveMessage(PATIENCE);
        }

        CheckpointReply resume(Checkpoint checkpoint) {
            planner.tell(new PlannerCommand.Resume(checkpoint, checkpoints.getRef()));
            return checkpoints.receiveMessage(PATIENCE);
        }

        @Override
        public void close() {
            kit.shutdownTestKit();
        }
    }

    private static List<SampleRef> samples(PlanReply reply) {
        StepPlan plan = ((PlanReply.Planned) reply).plan();
        List<SampleRef> samples = new ArrayList<>();
        for (StepPlan.Rank rank : plan.ranks()) {
            rank.microbatches().forEach(m -> m.placements().forEach(p -> samples.add(p.sample())));
        }
        return samples.stream().sorted().toList();
    }

    private static List<List<SampleRef>> expected(int steps) {
        Membership fold = membership(0);
        List<List<SampleRef>> expected = new ArrayList<>();
        var state = fold.start();
        for (int step = 0; step < steps; step++) {
            var next = (Membership.Outcome.Step) fold.next(state);
            expected.add(next.members().delivered().stream().sorted().toList());
            state = next.next();
        }
        return expected;
    }

    @Test
    void answersStepsInAnyOrderAsTheFoldHasThem() throws IOException {
        List<List<SampleRef>> expected = expected(200);
        try (Running running = new Running(0, 4)) {
            for (int step : new int[] {0, 1, 2, 150, 3, 64, 65, 149, 150, 199, 0}) {
                assertThat(samples(running.plan(step)))
                        .as("step " + step)
                        .isEqualTo(expected.get(step));
            }
        }
    }

    @Test
    void aNewPlannerGoesOnFromTheJournalOfOneThatStopped() throws IOException {
        List<List<SampleRef>> expected = expected(140);
        try (Running running = new Running(0, 2)) {
            for (int step = 0; step < 130; step++) {
                assertThat(samples(running.plan(step))).isEqualTo(expected.get(step));
            }
        }
        try (Running running = new Running(0, 8)) {
            for (int step = 125; step < 140; step++) {
                assertThat(samples(running.plan(step))).isEqualTo(expected.get(step));
            }
        }
    }

    @Test
    void aCheckpointIsSmallJsonAndResumesOnAnotherNumberOfRanks() throws IOException {
        List<List<SampleRef>> expected = expected(100);
        String json;
        try (Running running = new Running(0, 4)) {
            running.plan(0);
            CheckpointReply reply = running.checkpoint(90);
            json = PlannerJson.write(((CheckpointReply.Found) reply).checkpoint());
        }
        assertThat(json.length()).isLessThan(500);
        Files.delete(folder.resolve("planner.mv.db"));
        try (Running running = new Running(0, 1)) {
            assertThat(running.resume(PlannerJson.readCheckpoint(json)))
                    .isInstanceOf(CheckpointReply.Found.class);
            for (int step = 90; step < 100; step++) {
                assertThat(samples(running.plan(step))).isEqualTo(expected.get(step));
            }
        }
    }

    @Test
    void aCheckpointOfOtherDataIsRefusedWithBothNumbers() throws IOException {
        try (Running running = new Running(0, 4)) {
            Checkpoint own = ((CheckpointReply.Found) running.checkpoint(3)).checkpoint();
            Checkpoint other =
                    new Checkpoint(
                            own.format(),
                            own.seed(),
                            own.order(),
                            List.of(101L, 58L),
                            own.unit(),
                            own.state());
            CheckpointReply reply = running.resume(other);
            assertThat(((CheckpointReply.Refused) reply).reason()).contains("58").contains("57");
        }
    }

    @Test
    void aFinitePassEndsAndSaysWhere() throws IOException {
        try (Running running = new Running(1, 4)) {
            PlanReply last = running.plan(9);
            assertThat(last).isInstanceOf(PlanReply.Ended.class);
            assertThat(((PlanReply.Ended) last).endStep()).isEqualTo(158 / 16);
            assertThat(((PlanReply.Ended) last).dropped()).hasSize(158 % 16);
            assertThat(running.plan(8)).isInstanceOf(PlanReply.Planned.class);
            PlanReply later = running.plan(40);
            assertThat(((PlanReply.Ended) later).endStep()).isEqualTo(9);
        }
    }

    @Test
    void rowsThatDoNotDivideByTheRanksAreAnAnswerNotACrash() throws IOException {
        try (Running running = new Running(0, 3)) {
            assertThat(running.plan(0)).isInstanceOf(PlanReply.Failed.class);
            assertThat(((PlanReply.Failed) running.plan(1)).reason())
                    .contains("16 rows")
                    .contains("3 ranks");
        }
    }
}
