package io.headrace.media.text.token;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cached words against the library itself; tolerance 0. */
class WordCacheTest {

    private static final String[] BITS = {
        "a",
        "cat",
        " dog",
        "The",
        "DON'T",
        "'s",
        "'LL",
        "'Re",
        " ",
        "  ",
        "   ",
        "\t",
        "\n",
        "\r\n",
        "\u000b",
        "\f",
        "\u001c",
        "\u0000",
        "\u007f",
        "1",
        "23",
        "4567",
        ".",
        ",",
        "...",
        "!?",
        "$",
        "_",
        "-",
        "--",
        "/",
        "http://x.y/z?a=b",
        "<",
        ">",
        "<|",
        "|>",
        "<|im_end|>",
        "<|im_start|>",
        "<|endoftext|>",
        "<|ENDOFTEXT|>",
        "<|startoftext|>",
        "<|im_",
        "<think>",
        "</think>",
        "<THINK>",
        "<tool_call>",
        "<image>",
        "<|image_pad|>",
        "{\"a\": [1, 2]}",
        "x".repeat(50),
        "ab".repeat(20),
        "\"",
        "\\n",
        "\n\n\n",
        " \n ",
        "''"
    };

    @TempDir Path folder;

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        boolean bits = random.nextInt(4) > 0;
        for (int i = random.nextInt(40); i > 0; i--) {
            if (bits) {
                text.append(BITS[random.nextInt(BITS.length)]);
            } else {
                text.append((char) random.nextInt(128));
            }
        }
        return text.toString();
    }

    private static void assertEqualToLibrary(HuggingFaceTokenizer tokenizer) {
        assertThat(tokenizer.cachesWords()).isTrue();
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int run = 0; run < 3000; run++) {
            String text = text(random);
            boolean special = random.nextBoolean();
            assertThat(tokenizer.ids(text, special))
                    .as("seed %d run %d: %s", seed, run, text)
                    .isEqualTo(tokenizer.libraryIds(text, special));
        }
    }

    @Test
    void clipEqualsItsLibrary() throws IOException {
        try (HuggingFaceTokenizer clip = Vocabularies.clip(folder)) {
            assertEqualToLibrary(clip);
        }
    }

    @Test
    void gpt2EqualsItsLibrary() throws IOException {
        try (HuggingFaceTokenizer gpt2 = Vocabularies.gpt2(folder)) {
            assertEqualToLibrary(gpt2);
        }
    }

    @Test
    void qwenEqualsItsLibrary() throws IOException {
        try (HuggingFaceTokenizer qwen = Vocabularies.qwen(folder)) {
            assertEqualToLibrary(qwen);
        }
    }

    private static AsciiSplitter splitter(String head) throws IOException {
        return AsciiSplitter.of(TokenizerHead.read(head)).orElseThrow();
    }

    private static boolean refused(String head) throws IOException {
        return AsciiSplitter.of(TokenizerHead.read(head)).isEmpty();
    }

    private static final String PLAIN =
            """
            {"added_tokens": [], "normalizer": null,
             "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "use_regex": true},
             "model": {"type": "BPE", "dropout": null, "vocab": {"a": 1}}}
            """;

    @Test
    void settingsThatMakeAWordDependOnItsTextAreLeftToTheLibrary() throws IOException {
        List<String> pieces = new ArrayList<>();
        splitter(PLAIN).split("It's 2  cats\n", pieces::add);
        assertThat(pieces).containsExactly("It", "'s", " 2", " ", " cats", "\n");
        assertThat(refused(PLAIN.replace("BPE", "Unigram"))).isTrue();
        assertThat(refused(PLAIN.replace("\"dropout\": null", "\"dropout\": 0.1"))).isTrue();
        assertThat(refused(PLAIN.replace("\"add_prefix_space\": false, ", ""))).isTrue();
        assertThat(refused(PLAIN.replace("ByteLevel", "Metaspace"))).isTrue();
        assertThat(refused(PLAIN.replace("null,\n", "{\"type\": \"Prepend\"},\n"))).isTrue();
        assertThat(refused(PLAIN.replace("[]", "[{\"content\": \"<x>\", \"lstrip\": true}]")))
                .isTrue();
        assertThat(refused("{}")).isTrue();
    }

    @Test
    void expressionsThatLookAroundAreLeftToTheLibrary() throws IOException {
        String split =
                PLAIN.replace(
                                "{\"type\": \"ByteLevel\"",
                                "{\"type\": \"Sequence\", \"pretokenizers\": [{\"type\": \"Split\", \"pattern\": {\"Regex\": \"EXPR\"}, "
                                        + "\"behavior\": \"Isolated\", \"invert\": false}, {\"type\": \"ByteLevel\"")
                        .replace("true},", "false}]},");
        assertThat(refused(split.replace("EXPR", "[^a]+|\\\\s+(?!\\\\S)"))).isFalse();
        for (String expression :
                List.of("a(?=b)", "(?<=a)b", "\\\\bcat", "^a", "a$", "a{1,3}+", "a(?!b)", "[a")) {
            assertThat(refused(split.replace("EXPR", expression))).as(expression).isTrue();
        }
    }

    @Test
    void aVocabularyThatIsLeftToTheLibraryStillGivesItsIds() throws IOException {
        String json =
                new String(
                        Vocabularies.unpacked("gpt2_tokenizer.json.gz"),
                        java.nio.charset.StandardCharsets.UTF_8);
        Path file =
                Files.writeString(
                        folder.resolve("tokenizer.json"),
                        json.replace("\"lstrip\":false", "\"lstrip\":true"));
        try (HuggingFaceTokenizer tokenizer = HuggingFaceTokenizer.open(file)) {
            assertThat(tokenizer.cachesWords()).isFalse();
            assertThat(tokenizer.ids("hello world", true)).containsExactly(31373, 995);
        }
    }
}
