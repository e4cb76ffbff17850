package io.headrace.engine.recipe.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {
    @Test
    void editsAreInsertDeleteReplaceAndSwap() {
        assertThat(Nearest.edits("", "abc")).isEqualTo(3);
        assertThat(Nearest.edits("weights", "wieghts")).isEqualTo(1);
        assertThat(Nearest.edits("kitten", "sitting")).isEqualTo(3);
        assertThat(Nearest.edits("ca", "abc")).isEqualTo(3);
        assertThat(Nearest.edits("x".repeat(100), "y")).isEqualTo(64);
    }

    @Test
    void nothingFarIsOffered() {
        List<String> words = List.of("seed", "sources", "batch");
        assertThat(Nearest.of("soruce", words)).isEqualTo("sources");
        assertThat(Nearest.of("BATCH", words)).isEqualTo("batch");
        assertThat(Nearest.of("epochs", words)).isEmpty();
    }
}
