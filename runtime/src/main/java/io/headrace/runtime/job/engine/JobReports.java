package io.headrace.runtime.job.engine;

import io.headrace.engine.recipe.ProcessSpec;
import io.headrace.engine.recipe.Recipe;
import io.headrace.runtime.construct.PictureProcessors;
import io.headrace.runtime.construct.shape.ModelForm;
import io.headrace.runtime.construct.shape.TensorNames;
import io.headrace.runtime.deliver.JobReport;
import io.headrace.runtime.deliver.WireTable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What ranks are told of their job. */
final class JobReports {

    /** Elements of one channel of a Qwen patch: two times of 14 x 14 pixels. */
    private static final long QWEN_CHANNEL_ELEMENTS = 392;

    private JobReports() {}

    static JobReport of(Recipe recipe, EngineOptions options, IndexedSources sources) {
        return new JobReport(
                options.job(),
                options.recipeFile().toString(),
                Fingerprint.of(recipe, sources),
                recipe.topology().dp(),
                recipe.batch().microbatches(),
                -1,
                0,
                recipe.delivery().waitWarningMillis(),
                wireTable(recipe.process()));
    }

    private static @Nullable WireTable wireTable(ProcessSpec process) {
        ModelForm form = ModelForm.of(process.model());
        if (process.wire() != ProcessSpec.Wire.UINT8 || form == ModelForm.TEXT) {
            return null;
        }
        List<List<Float>> values = new ArrayList<>();
        for (float[] channel : PictureProcessors.of(process).table()) {
            List<Float> levels = new ArrayList<>();
            for (float value : channel) {
                levels.add(value);
            }
            values.add(levels);
        }
        return new WireTable(
                TensorNames.PIXEL_VALUES, channelElements(process.model()), values, validity(form));
    }

    private static long channelElements(ProcessSpec.Model model) {
        return switch (model) {
            case ProcessSpec.Model.Clip(int side) -> (long) side * side;
            case ProcessSpec.Model.Siglip(int side) -> (long) side * side;
            case ProcessSpec.Model.Siglip2 _ -> 1L;
            case ProcessSpec.Model.Qwen25Vl _ -> QWEN_CHANNEL_ELEMENTS;
            case ProcessSpec.Model.TextOnly _ -> 1L;
        };
    }

    private static List<String> validity(ModelForm form) {
        return switch (form) {
            case FIXED -> List.of(TensorNames.SAMPLE_VALID);
            case NAFLEX -> List.of(TensorNames.SAMPLE_VALID, TensorNames.PIXEL_ATTENTION_MASK);
            case GRID -> List.of(TensorNames.PATCH_VALID);
            case TEXT -> List.of();
        };
    }
}
