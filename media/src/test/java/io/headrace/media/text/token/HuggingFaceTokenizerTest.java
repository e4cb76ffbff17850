package io.headrace.media.text.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against the ids that the tokenizers library gives in Python for 30 texts and three real vocabularies; tolerance 0. */
class HuggingFaceTokenizerTest {

    @TempDir Path folder;

    private static JsonNode golden() throws IOException {
        JsonNode golden = new ObjectMapper().readTree(Vocabularies.bytes("tokens.json"));
        assertThat(golden).hasSize(30);
        return golden;
    }

    private static int[] ids(JsonNode row, String vocabulary) {
        JsonNode list = row.get(vocabulary);
        int[] ids = new int[list.size()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = list.get(i).intValue();
        }
        return ids;
    }

    private static void assertGolden(Tokenizer tokenizer, String vocabulary) throws IOException {
        for (JsonNode row : golden()) {
            String text = row.get("text").textValue();
            assertThat(tokenizer.ids(text, true)).as(text).isEqualTo(ids(row, vocabulary));
        }
    }

    @Test
    void clipGivesTheIdsOfPython() throws IOException {
        try (Tokenizer clip = Vocabularies.clip(folder)) {
            assertGolden(clip, "clip");
            assertThat(clip.ids("a photo of a cat", false))
                    .containsExactly(320, 1125, 539, 320, 2368);
            assertThat(clip.padId()).isEqualTo(49407);
        }
    }

    @Test
    void gpt2GivesTheIdsOfPython() throws IOException {
        try (Tokenizer gpt2 = Vocabularies.gpt2(folder)) {
            assertGolden(gpt2, "gpt2");
            assertThat(gpt2.padId()).isEqualTo(50256);
        }
    }

    @Test
    void qwenGivesTheIdsOfPython() throws IOException {
        try (Tokenizer qwen = Vocabularies.qwen(folder)) {
            assertGolden(qwen, "qwen3");
            assertThat(qwen.padId()).isEqualTo(151643);
            assertThat(qwen.id("<|image_pad|>")).hasValue(151655);
            assertThat(qwen.id("<|no_such_token|>")).isEmpty();
        }
    }

    @Test
    void textsLongerThanTheDefaultCutOf512StayWhole() throws IOException {
        try (Tokenizer clip = Vocabularies.clip(folder)) {
            int[] ids = clip.ids("cat ".repeat(5000), true);
            assertThat(ids).hasSize(5002).endsWith(2368, 49407);
        }
    }

    @Test
    void nulAndCharactersOutsideTheFirstPlaneReachTheLibraryUnchanged() throws IOException {
        try (Tokenizer qwen = Vocabularies.qwen(folder)) {
            assertThat(qwen.ids("a\0b", false)).containsExactly(64, 188, 65);
            assertThat(qwen.ids("\ud83d\ude42", false)).containsExactly(145080);
        }
    }

    @Test
    void manyThreadsGetTheSameIds() throws Exception {
        JsonNode golden = golden();
        try (Tokenizer clip = Vocabularies.clip(folder);
                ExecutorService pool = Executors.newFixedThreadPool(4)) {
            List<Future<?>> runs = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                int shift = thread * 7;
                runs.add(
                        pool.submit(
                                () -> {
                                    for (int i = 0; i < 600; i++) {
                                        JsonNode row = golden.get((i + shift) % golden.size());
                                        assertThat(clip.ids(row.get("text").textValue(), true))
                                                .isEqualTo(ids(row, "clip"));
                                    }
                                }));
            }
            for (Future<?> run : runs) {
                assertThat(run.get()).isNull();
            }
        }
    }

    @Test
    void aClosedTokenizerFailsAndMayBeClosedAgain() throws IOException {
        Tokenizer clip = Vocabularies.clip(folder);
        clip.close();
        clip.close();
        assertThatThrownBy(() -> clip.ids("a", true))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("The tokenizer is closed");
    }

    @Test
    void aFileThatIsNoTokenizerIsNamed() throws IOException {
        Path file = Files.writeString(folder.resolve("tokenizer.json"), "{\"version\": 1}");
        assertThatThrownBy(() -> HuggingFaceTokenizer.open(file))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("Not a tokenizer.json: " + file);
    }

    @Test
    void thePadTokenOfTheConfigComesFirst() throws IOException {
        Path gpt2 = Files.createDirectories(folder.resolve("gpt2"));
        Path config = gpt2.resolve("tokenizer_config.json");
        Files.writeString(config, "{\"pad_token\": {\"content\": \"!\"}}");
        try (Tokenizer tokenizer = Vocabularies.gpt2(folder)) {
            assertThat(tokenizer.padId()).isEqualTo(0);
        }
        Files.writeString(config, "{\"pad_token\": \"two words\"}");
        assertThatThrownBy(() -> Vocabularies.gpt2(folder))
                .hasMessageStartingWith("The pad token two words is not in the vocabulary of ");
        Files.writeString(config, "{\"pad_token\": null}");
        try (Tokenizer tokenizer = Vocabularies.gpt2(folder)) {
            assertThat(tokenizer.padId()).isEqualTo(50256);
        }
    }

    @Test
    void thePaddingOfTheTokenizerItselfIsTaken() throws IOException {
        String json =
                new String(
                        Vocabularies.unpacked("gpt2_tokenizer.json.gz"),
                        java.nio.charset.StandardCharsets.UTF_8);
        String padding =
                "\"padding\":{\"strategy\":{\"Fixed\":64},\"direction\":\"Right\",\"pad_to_multiple_of\":null,"
                        + "\"pad_id\":1,\"pad_type_id\":0,\"pad_token\":\"\\\"\"}";
        assertThat(json).contains("\"padding\":null");
        Path file =
                Files.writeString(
                        folder.resolve("tokenizer.json"),
                        json.replace("\"padding\":null", padding));
        try (Tokenizer tokenizer = HuggingFaceTokenizer.open(file)) {
            assertThat(tokenizer.padId()).isEqualTo(1);
            assertThat(tokenizer.ids("hello world", true)).containsExactly(31373, 995);
        }
    }

    @Test
    void theNativeLibraryIsNamedByMachine() {
        assertThat(TokenizersNative.resource("Linux", "amd64"))
                .isEqualTo("/native/lib/linux-x86_64/cpu/libtokenizers.so");
        assertThat(TokenizersNative.resource("Mac OS X", "aarch64"))
                .isEqualTo("/native/lib/osx-aarch64/cpu/libtokenizers.dylib");
    }

    @Test
    void anEstimateIsAQuarterOfTheBytesRoundedUp() {
        assertThat(TokenEstimate.ofBytes(0)).isEqualTo(0);
        assertThat(TokenEstimate.ofBytes(1)).isEqualTo(1);
        assertThat(TokenEstimate.ofBytes(401)).isEqualTo(101);
    }
}
