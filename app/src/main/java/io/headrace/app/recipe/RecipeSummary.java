package io.headrace.app.recipe;

import io.headrace.engine.index.SampleIndex;
import io.headrace.engine.recipe.BatchSpec;
import io.headrace.engine.recipe.MixtureSpec;
import io.headrace.engine.recipe.OrderSpec;
import io.headrace.engine.recipe.ProcessSpec;
import io.headrace.engine.recipe.ProcessSpec.Model;
import io.headrace.engine.recipe.Recipe;
import io.headrace.engine.recipe.SourceSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a recipe comes to, in a few lines. */
public record RecipeSummary(Recipe recipe) {

    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < recipe.sources().size(); i++) {
            lines.add(line(i == 0 ? "sources" : "", source(i)));
        }
        lines.add(line("model", model()));
        lines.add(line("text", text()));
        lines.add(line("batch", batch()));
        lines.add(line("order", order()));
        lines.add(line("balance", balance()));
        return lines;
    }

    private static String line(String name, String value) {
        return String.format("%-8s %s", name, value);
    }

    private String source(int index) {
        SourceSpec source = recipe.sources().get(index);
        MixtureSpec.Stage first = recipe.mixture().stages().getFirst();
        int more = recipe.mixture().stages().size() - 1;
        return source.name()
                + ": "
                + (recipe.mixture().uses(index) ? indexed(source) : "never opened")
                + ", weight "
                + plain(first.weights().get(index))
                + " in "
                + word(recipe.mixture().unit())
                + (more > 0 ? ", and " + more + " more stages" : "")
                + ", "
                + String.join(" ", source.paths());
    }

    private String indexed(SourceSpec source) {
        Path file = recipe.indexFile(source);
        if (!Files.exists(file)) {
            return "not indexed";
        }
        try (SampleIndex index = SampleIndex.open(file)) {
            return index.size() + " samples in " + index.shards() + " shards";
        } catch (IOException e) {
            return "an index that cannot be read (" + e.getMessage() + ")";
        }
    }

    private String model() {
        ProcessSpec process = recipe.process();
        String shape =
                switch (process.model()) {
                    case Model.Clip(int side) -> "clip, " + side + " x " + side;
                    case Model.Siglip(int side) -> "siglip, " + side + " x " + side;
                    case Model.Siglip2(int patch, int patches) ->
                            "siglip2, at most " + patches + " patches of " + patch;
                    case Model.Qwen25Vl(long min, long max, _) ->
                            "qwen2_5_vl, " + min + " to " + max + " pixels";
                    case Model.Qwen3Vl(long min, long max, _) ->
                            "qwen3_vl, " + min + " to " + max + " pixels";
                    case Model.InternVl(int tiles) -> "internvl, at most " + tiles + " tiles";
                    case Model.LlavaOnevision(int frames) ->
                            "llava_onevision, videos of " + frames + " frames";
                    case Model.VideoMae(int frames, int side) ->
                            "videomae, " + frames + " frames of " + side + " x " + side;
                    case Model.VideoDiffusion(var buckets, var sizes, _, _, _) ->
                            "video_diffusion, "
                                    + (sizes.isEmpty() ? word(buckets) : sizes.size() + " sizes");
                    case Model.Whisper(int bands, _) -> "whisper, " + bands + " bands";
                    case Model.Qwen2Audio(_) -> "qwen2_audio";
                    case Model.TextOnly() -> "text";
                };
        return shape + ", " + word(process.wire()) + ", " + word(process.quality());
    }

    private String text() {
        ProcessSpec.TextSpec text = recipe.process().text();
        String ids = text.tokenizer() == null ? "no tokenizer" : "" + text.tokenizer();
        return ids + ", " + word(text.template()) + ", at most " + text.maxTokens() + " tokens";
    }

    private String batch() {
        int ranks = recipe.topology().dp();
        int slices = ranks * recipe.batch().microbatches();
        return switch (recipe.batch()) {
            case BatchSpec.Samples(int samples, int microbatches) ->
                    samples + " samples a step" + share(ranks, microbatches, samples / slices);
            case BatchSpec.Packs(int packs, int length, int microbatches) ->
                    packs
                            + " packs of "
                            + length
                            + " tokens a step"
                            + share(ranks, microbatches, packs / slices);
        };
    }

    private static String share(int ranks, int microbatches, int rows) {
        return String.format(" = %d ranks x %d microbatches x %d rows", ranks, microbatches, rows);
    }

    private String order() {
        OrderSpec order = recipe.order();
        String kind =
                order.kind() == OrderSpec.Kind.SHUFFLE
                        ? String.format(
                                "shuffle in blocks of %d, windows of %d, seed %d",
                                order.blockSamples(), order.windowBlocks(), recipe.seed())
                        : "sequential";
        String passes = order.epochs() == 0 ? "no end" : order.epochs() + " passes";
        return kind
                + ", "
                + passes
                + ", "
                + word(recipe.mixture().exhaustion())
                + ", last batch "
                + word(order.last());
    }

    private String balance() {
        return word(recipe.plan().method()) + " over " + word(recipe.plan().over());
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? "" + (long) number : "" + number;
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
