package io.headrace.runtime.construct.shape;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.engine.descriptor.Codec;
import io.headrace.engine.descriptor.Descriptor;
import io.headrace.engine.descriptor.Location;
import io.headrace.engine.descriptor.Orientation;
import io.headrace.engine.descriptor.Part;
import io.headrace.engine.descriptor.SampleRef;
import io.headrace.engine.recipe.BatchSpec;
import io.headrace.engine.recipe.ProcessSpec;
import io.headrace.engine.recipe.ProcessSpec.Model;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SampleShaperTest {
    private static final int MAX_TOKENS = 40;
    private static final Model QWEN =
            new Model.Qwen25Vl(3136, 1003520, ProcessSpec.VideoSpec.QWEN2_5);
    private static final BatchSpec SAMPLES = new BatchSpec.Samples(4, 1);

    private static int tokens(Model model, BatchSpec batch, int textTokens, int pictures) {
        ProcessSpec process =
                new ProcessSpec(
                        model,
                        ProcessSpec.Quality.EXACT,
                        ProcessSpec.Wire.FLOAT32,
                        ProcessSpec.Alpha.WHITE,
                        true,
                        1 << 28,
                        new ProcessSpec.TextSpec(null, ProcessSpec.Template.PLAIN, MAX_TOKENS));
        Location anywhere = new Location.Range(0, 0, 1);
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < pictures; i++) {
            parts.add(new Part.Image("jpg", anywhere, Codec.JPEG, 112, 112, Orientation.ofExif(1)));
        }
        parts.add(new Part.Text("txt", anywhere, Codec.TEXT, textTokens, true));
        return new SampleShaper(process, batch, MediaProcessors.of(process))
                .shape(new Descriptor(new SampleRef(0, 0), "a", parts))
                .features()
                .tokens();
    }

    @Test
    void aTextIsCutAtTheMostTokens() {
        assertThat(tokens(new Model.TextOnly(), SAMPLES, 39, 0)).isEqualTo(39);
        assertThat(tokens(new Model.TextOnly(), SAMPLES, 41, 0)).isEqualTo(MAX_TOKENS);
        assertThat(tokens(new Model.Clip(224), SAMPLES, 99, 1)).isEqualTo(MAX_TOKENS);
    }

    /** A picture of 112 x 112 takes 16 tokens. */
    @Test
    void picturesKeepTheirTokens() {
        assertThat(tokens(QWEN, SAMPLES, 10, 1)).isEqualTo(26);
        assertThat(tokens(QWEN, SAMPLES, 30, 1)).isEqualTo(MAX_TOKENS);
        assertThat(tokens(QWEN, SAMPLES, 30, 3)).isEqualTo(48);
    }

    @Test
    void whatIsLongerThanAPackIsLeftWholeUnlessTheCapIsBelowThePack() {
        assertThat(tokens(QWEN, new BatchSpec.Packs(4, MAX_TOKENS, 1), 50, 0)).isEqualTo(50);
        assertThat(tokens(QWEN, new BatchSpec.Packs(4, 64, 1), 50, 0)).isEqualTo(MAX_TOKENS);
    }
}
