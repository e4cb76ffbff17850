package io.headrace.app.cli;

import io.headrace.app.simulate.CoreSearch;
import io.headrace.app.simulate.CoreSearch.Found;
import io.headrace.app.simulate.CoreSearch.Row;
import io.headrace.app.simulate.RecipeCosts;
import io.headrace.app.simulate.StallPlot;
import io.headrace.engine.plan.Membership;
import io.headrace.engine.recipe.BatchSpec;
import io.headrace.engine.recipe.MixtureSpec;
import io.headrace.engine.recipe.OrderSpec;
import io.headrace.engine.recipe.Recipe;
import io.headrace.runtime.job.engine.IndexedSources;
import io.headrace.sim.SimPlans;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code headrace simulate}: how many cores a job of a recipe needs, from its index and plans on a virtual clock. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        description =
                "Tells how many CPU cores a job needs so that its ranks wait less than 1% of the time."
                        + " Runs the real plans of the recipe's index with the real scheduler on a virtual"
                        + " clock; docs/simulation.md says what is modelled. Each rank gets as many rows as in"
                        + " the recipe.")
final class Simulate implements Callable<Integer> {

    private static final double LIMIT = 0.01;

    /** Samples of one run: some seconds. */
    private static final int MOST_SAMPLES = 200_000;

    private static final int LEAST_STEPS = 12;
    private static final int MOST_STEPS = 80;
    private static final double NANOS_PER_SECOND = 1e9;

    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "RECIPE", description = "The recipe, a YAML file.")
    private Path file;

    @Option(
            names = "--ranks",
            paramLabel = "N",
            description = "Data-parallel ranks. Default: the recipe's topology.dp.")
    private @Nullable Integer ranks;

    @Option(
            names = "--ranks-per-host",
            paramLabel = "N",
            defaultValue = "8",
            description = "Ranks of a host. Default: ${DEFAULT-VALUE}.")
    private int ranksPerHost;

    @Option(
            names = "--cores-per-host",
            paramLabel = "N",
            defaultValue = "96",
            description = "Cores that a host has. Default: ${DEFAULT-VALUE}.")
    private int cores;

    @Option(
            names = "--window",
            paramLabel = "SECONDS",
            defaultValue = "1",
            description =
                    "Time of a step that never waits: the mean compute window of the slowest rank."
                            + " Default: ${DEFAULT-VALUE}.")
    private double windowSeconds;

    @Option(
            names = "--decode-seconds",
            paramLabel = "SECONDS",
            defaultValue = "0",
            description =
                    "Mean CPU time of a sample, as decode_seconds / decoded_samples of a running job."
                            + " Default: by the usual rates of the codecs.")
    private double decodeSeconds;

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description = "Writes the stall against the cores as an SVG picture.")
    private @Nullable Path plot;

    @Override
    public Integer call() throws IOException {
        if (ranksPerHost < 1 || cores < 1 || !(windowSeconds > 0) || decodeSeconds < 0) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--ranks-per-host and --cores-per-host are at least 1, --window is above 0");
        }
        Recipe recipe = RecipeFile.load(spec, file, null);
        int all = ranks == null ? recipe.topology().dp() : ranks;
        int perHost = Math.min(ranksPerHost, all);
        if (all < 1 || all % perHost != 0) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--ranks %d does not divide into hosts of %d".formatted(all, perHost));
        }
        Indexes.bringUpToDate(recipe);
        try (IndexedSources sources = IndexedSources.open(recipe)) {
            simulate(recipe, sources, all, perHost);
        }
        return ExitCode.OK;
    }

    private void simulate(Recipe recipe, IndexedSources sources, int all, int perHost)
            throws IOException {
        BatchSpec batch = scaled(recipe, all);
        SimPlans plans = plans(recipe, batch, sources, all);
        int samples =
                plans.step(0)
                        .map(p -> p.plan().ranks().stream().mapToInt(Simulate::samples).sum())
                        .orElseThrow(() -> new UserError("the data of the recipe fill no step"));
        int steps = Math.clamp(MOST_SAMPLES / Math.max(1, samples), LEAST_STEPS, MOST_STEPS);
        RecipeCosts costs = new RecipeCosts(recipe, sources);
        if (decodeSeconds > 0) {
            double now = plans.meanCpuNanos(steps, costs) / samples;
            costs.scaleCpu(decodeSeconds * NANOS_PER_SECOND / now);
        }
        costs.scaleCompute(windowSeconds * NANOS_PER_SECOND / plans.meanWindowNanos(steps, costs));
        double cpuSeconds = plans.meanCpuNanos(steps, costs) / NANOS_PER_SECOND;
        Found found =
                new CoreSearch(
                                new CoreSearch.Job(
                                        plans,
                                        costs,
                                        perHost,
                                        recipe.delivery().readyAheadSteps(),
                                        steps,
                                        steps / 4))
                        .search(cores, LIMIT);
        print(found, all, perHost, samples, cpuSeconds, steps);
        Path picture = plot;
        if (picture != null) {
            String title = "%s: %d ranks, %d a host".formatted(file.getFileName(), all, perHost);
            Files.writeString(picture, StallPlot.of(title, found, LIMIT));
            spec.commandLine().getOut().println("plot: " + picture);
        }
    }

    /** As many rows a rank as in the recipe. */
    private static BatchSpec scaled(Recipe recipe, int all) {
        int dp = recipe.topology().dp();
        return switch (recipe.batch()) {
            case BatchSpec.Samples(int samples, int microbatches) ->
                    new BatchSpec.Samples(samples / dp * all, microbatches);
            case BatchSpec.Packs(int packs, int length, int microbatches) ->
                    new BatchSpec.Packs(packs / dp * all, length, microbatches);
        };
    }

    /** The recipe's plans; sources begin anew as often as needed. */
    private static SimPlans plans(Recipe recipe, BatchSpec batch, IndexedSources sources, int all) {
        MixtureSpec mixture = recipe.mixture();
        OrderSpec order = recipe.order();
        Membership membership =
                new Membership(
                        recipe.seed(),
                        new MixtureSpec(
                                mixture.unit(), mixture.stages(), MixtureSpec.Exhaustion.REPEAT),
                        new OrderSpec(
                                order.kind(),
                                order.blockSamples(),
                                order.windowBlocks(),
                                0,
                                order.last()),
                        batch,
                        sources);
        return new SimPlans(membership, recipe.plan(), recipe.batch().microbatches(), all);
    }

    private static int samples(io.headrace.engine.plan.StepPlan.Rank rank) {
        return rank.microbatches().stream().mapToInt(m -> m.placements().size()).sum();
    }

    private void print(
            Found found, int all, int perHost, int samples, double cpuSeconds, int steps) {
        PrintWriter out = spec.commandLine().getOut();
        int hosts = all / perHost;
        out.printf(
                Locale.ROOT,
                "%d ranks on %d hosts, %d samples a step, %.1f CPU-seconds a step, window %.2f s; %d steps%n",
                all,
                hosts,
                samples,
                cpuSeconds,
                windowSeconds,
                steps);
        out.printf(
                "%12s %8s %14s %10s %14s%n",
                "cores a host", "rho", "stall deadline", "FIFO", "rank-local");
        for (Row row : found.rows()) {
            out.printf(
                    Locale.ROOT,
                    "%12d %8.2f %13.2f%% %9.2f%% %13.2f%%  %s%n",
                    row.cores(),
                    cpuSeconds / (windowSeconds * row.cores() * hosts),
                    100 * row.deadline(),
                    100 * row.fifo(),
                    100 * row.rankLocal(),
                    "#".repeat((int) Math.round(40 * row.deadline())));
        }
        if (found.enough() > 0) {
            out.printf(
                    "%d cores a host, %d in all, keep the stall below 1%%%n",
                    found.enough(), found.enough() * hosts);
        } else {
            out.printf("%d cores a host are too few for a stall below 1%%%n", cores);
        }
        out.flush();
    }
}
