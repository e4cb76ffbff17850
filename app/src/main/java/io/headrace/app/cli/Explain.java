package io.headrace.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.headrace.app.dashboard.EngineClient;
import io.headrace.app.dashboard.StepCosts;
import io.headrace.engine.cost.CostModel;
import io.headrace.engine.descriptor.Descriptor;
import io.headrace.engine.plan.Members;
import io.headrace.engine.plan.Membership;
import io.headrace.engine.plan.MembershipState;
import io.headrace.engine.plan.Placement;
import io.headrace.engine.plan.Planner;
import io.headrace.engine.plan.StepCost;
import io.headrace.engine.plan.StepPlan;
import io.headrace.engine.recipe.PlanSpec;
import io.headrace.engine.recipe.Recipe;
import io.headrace.runtime.job.engine.Fingerprint;
import io.headrace.runtime.job.engine.IndexedSources;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code headrace explain}: the plan of any step, made again from the recipe: which sample is where, at what cost, and how even it is;
 * with what it really cost, if a job of the recipe runs.
 */
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        description =
                "Shows the plan of a step: samples, ranks, predicted costs, and how the balance compares with"
                        + " handing rows out in turn. Needs no engine: the plan follows from the recipe. A job of"
                        + " the recipe that runs on this host is asked for the real costs of a step that it has"
                        + " decoded lately.")
final class Explain implements Callable<Integer> {
    private static final int KEY_WIDTH = 32;

    @Spec private CommandSpec spec;

    @Mixin private RecipeFile recipeFile;

    @Mixin private RunningJob job;

    @Parameters(index = "1", paramLabel = "STEP", description = "The step, from 0 on.")
    private long step;

    @Option(
            names = "--rank",
            paramLabel = "R",
            defaultValue = "-1",
            description = "Only this rank.")
    private int onlyRank;

    @Override
    public Integer call() throws IOException {
        Recipe recipe = recipeFile.load();
        Indexes.bringUpToDate(recipe);
        try (IndexedSources sources = IndexedSources.open(recipe)) {
            Membership membership = Membership.of(recipe, sources);
            MembershipState before = membership.at(step);
            if (before.step() < step) {
                throw new UserError(
                        "there is no step %d: the data ends after %d steps"
                                .formatted(step, before.step()));
            }
            return switch (membership.next(before)) {
                case Membership.Outcome.End _ ->
                        throw new UserError(
                                "there is no step %d: the data ends after %d steps"
                                        .formatted(step, step));
                case Membership.Outcome.Step(Members members, _) -> {
                    print(recipe, sources, members);
                    yield ExitCode.OK;
                }
            };
        }
    }

    private void print(Recipe recipe, IndexedSources sources, Members members) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        StepCosts real = real(recipe, sources);
        StepPlan plan = plan(recipe, members, recipe.plan().method());
        StepPlan inTurn = plan(recipe, members, PlanSpec.Method.ROUND_ROBIN);
        StepCost cost = StepCost.of(plan, recipe.plan());
        long samples = members.delivered().size();
        out.printf(
                Locale.ROOT,
                "step %d: %d samples in %d rows over %d ranks x %d microbatches%n",
                plan.step(),
                samples,
                members.rows().size(),
                plan.ranks().size(),
                recipe.batch().microbatches());
        out.printf(
                Locale.ROOT,
                "balance by %s over %s: the heaviest rank has %.3f x the mean; in turn it would have %.3f x%n",
                recipe.plan().method().name().toLowerCase(Locale.ROOT),
                recipe.plan().over().name().toLowerCase(Locale.ROOT),
                cost.imbalance(),
                StepCost.of(inTurn, recipe.plan()).imbalance());
        out.println(real.note());
        CostModel model = new CostModel(recipe.plan());
        for (StepPlan.Rank rank : plan.ranks()) {
            if (onlyRank < 0 || onlyRank == rank.rank()) {
                print(out, rank, cost.microbatches().get(rank.rank()), real, model, sources);
            }
        }
        if (!members.tooLong().isEmpty()) {
            out.printf("left out, longer than a pack: %s%n", members.tooLong());
        }
        out.flush();
    }

    /** What the running job of this recipe knows of the step. */
    private StepCosts real(Recipe recipe, IndexedSources sources) throws IOException {
        String fingerprint = Fingerprint.of(recipe, sources);
        StepCosts found = StepCosts.none("no job of this recipe runs on this host");
        for (Path socket : job.sockets()) {
            EngineClient client = new EngineClient(socket);
            try {
                JsonNode running = client.get("/v1/job");
                if (running.path("fingerprint").asText().equals(fingerprint)
                        && isThisRecipe(Path.of(running.path("recipe").asText()))) {
                    JsonNode costs = client.get("/v1/steps/%d/costs".formatted(step));
                    return StepCosts.of(running, costs, recipe.topology().dp());
                }
                if (job.isNamed()) {
                    found = StepCosts.none("that job runs another recipe, or other data");
                }
            } catch (IOException e) {
                if (job.isNamed()) {
                    throw e;
                }
            }
        }
        return found;
    }

    private boolean isThisRecipe(Path other) throws IOException {
        return Files.exists(other) && Files.isSameFile(other, recipeFile.file());
    }

    private static StepPlan plan(Recipe recipe, Members members, PlanSpec.Method method) {
        PlanSpec as =
                new PlanSpec(
                        recipe.plan().encoder(),
                        recipe.plan().backbone(),
                        method,
                        recipe.plan().over());
        return new Planner(as, recipe.batch().microbatches()).plan(members, recipe.topology());
    }

    private static void print(
            PrintWriter out,
            StepPlan.Rank rank,
            List<Double> costs,
            StepCosts real,
            CostModel model,
            IndexedSources sources) {
        out.printf(
                Locale.ROOT,
                "rank %d: predicted cost %.0f%s%n",
                rank.rank(),
                costs.stream().mapToDouble(Double::doubleValue).sum(),
                real.ranks().containsKey(rank.rank()) ? "; " + real.ranks().get(rank.rank()) : "");
        out.printf(
                "  %2s %4s %6s  %-" + KEY_WIDTH + "s %8s %8s %10s %10s %10s%n",
                "mb",
                "row",
                "offset",
                "sample",
                "tokens",
                "patches",
                "pixels",
                "cost",
                "decode ms");
        for (int m = 0; m < rank.microbatches().size(); m++) {
            for (Placement place : rank.microbatches().get(m).placements()) {
                Descriptor descriptor = sources.descriptor(place.sample());
                String name =
                        sources.sample(descriptor) + (place.filler() ? " (filler, masked)" : "");
                out.printf(
                        Locale.ROOT,
                        "  %2d %4d %6d  %-" + KEY_WIDTH + "s %8d %8d %10d %10.0f %10s%n",
                        m,
                        place.row(),
                        place.offsetTokens(),
                        name,
                        place.features().tokens(),
                        place.features().patches(),
                        place.features().pixels(),
                        model.balanced(place.features()),
                        millis(real.decodeNanos().get(place.sample())));
            }
        }
    }

    private static String millis(@Nullable Long nanos) {
        return nanos == null ? "-" : String.format(Locale.ROOT, "%.2f", nanos / 1e6);
    }
}
