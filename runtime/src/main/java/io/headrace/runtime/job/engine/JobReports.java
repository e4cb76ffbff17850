package io.headrace.runtime.job.engine;

import io.headrace.engine.plan.PassLength;
import io.headrace.engine.recipe.ProcessSpec;
import io.headrace.engine.recipe.Recipe;
import io.headrace.runtime.construct.shape.MediaProcessors;
import io.headrace.runtime.construct.shape.ModelForm;
import io.headrace.runtime.construct.shape.TensorNames;
import io.headrace.runtime.deliver.report.JobReport;
import io.headrace.runtime.deliver.report.WireTable;
import java.util.ArrayList;
import java.util.List;

/** What ranks are told of their job. */
final class JobReports {

    /** Elements of one channel of a Qwen patch: two times of 14 x 14 pixels. */
    private static final long QWEN_CHANNEL_ELEMENTS = 392;

    /** The same for patches of 16 x 16. */
    private static final long QWEN3_CHANNEL_ELEMENTS = 512;

    private static final long TILE_CHANNEL_ELEMENTS = 448 * 448;
    private static final long SQUARE_CHANNEL_ELEMENTS = 384 * 384;

    private JobReports() {}

    static JobReport of(Recipe recipe, EngineOptions options, IndexedSources sources) {
        return new JobReport(
                options.job(),
                options.recipeFile().toString(),
                Fingerprint.of(recipe, sources),
                recipe.topology().dp(),
                recipe.batch().microbatches(),
                PassLength.of(recipe, sources).orElse(-1),
                0,
                recipe.delivery().waitWarningMillis(),
                wireTables(recipe.process()));
    }

    private static List<WireTable> wireTables(ProcessSpec process) {
        ModelForm form = ModelForm.of(process.model());
        if (process.wire() != ProcessSpec.Wire.UINT8) {
            return List.of();
        }
        MediaProcessors processors = MediaProcessors.of(process);
        List<WireTable> tables = new ArrayList<>();
        long channel = channelElements(process.model());
        if (processors.images() != null) {
            tables.add(table(TensorNames.PIXEL_VALUES, channel, processors.images().table(), form));
        }
        if (processors.videos() != null) {
            tables.add(
                    table(
                            form.inText()
                                    ? TensorNames.PIXEL_VALUES_VIDEOS
                                    : TensorNames.PIXEL_VALUES,
                            channel,
                            processors.videos().table(),
                            form));
        }
        return tables;
    }

    private static WireTable table(String tensor, long channel, float[][] table, ModelForm form) {
        List<List<Float>> values = new ArrayList<>();
        for (float[] levels : table) {
            List<Float> boxed = new ArrayList<>();
            for (float value : levels) {
                boxed.add(value);
            }
            values.add(boxed);
        }
        return new WireTable(tensor, channel, values, validity(form, tensor));
    }

    private static long channelElements(ProcessSpec.Model model) {
        return switch (model) {
            case ProcessSpec.Model.Clip(int side) -> (long) side * side;
            case ProcessSpec.Model.Siglip(int side) -> (long) side * side;
            case ProcessSpec.Model.VideoMae(_, int side) -> (long) side * side;
            case ProcessSpec.Model.Siglip2 _ -> 1L;
            case ProcessSpec.Model.Qwen25Vl _ -> QWEN_CHANNEL_ELEMENTS;
            case ProcessSpec.Model.Qwen3Vl _ -> QWEN3_CHANNEL_ELEMENTS;
            case ProcessSpec.Model.InternVl _ -> TILE_CHANNEL_ELEMENTS;
            case ProcessSpec.Model.LlavaOnevision _ -> SQUARE_CHANNEL_ELEMENTS;
            // All three channels have one table.
            case ProcessSpec.Model.VideoDiffusion _ -> 1L;
            case ProcessSpec.Model.Whisper _,
                    ProcessSpec.Model.Qwen2Audio _,
                    ProcessSpec.Model.TextOnly _ ->
                    1L;
        };
    }

    private static List<String> validity(ModelForm form, String tensor) {
        return switch (form) {
            case FIXED, FRAMES -> List.of(TensorNames.SAMPLE_VALID);
            case NAFLEX -> List.of(TensorNames.SAMPLE_VALID, TensorNames.PIXEL_ATTENTION_MASK);
            case TILES -> List.of(TensorNames.PATCH_VALID);
            case GRID, ANYRES ->
                    List.of(
                            tensor.equals(TensorNames.PIXEL_VALUES)
                                    ? TensorNames.PATCH_VALID
                                    : TensorNames.VIDEO_PATCH_VALID);
            case BUCKETS, SPECTRUM, SOUND, TEXT -> List.of();
        };
    }
}
