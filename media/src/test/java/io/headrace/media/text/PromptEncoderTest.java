package io.headrace.media.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Codec;
import io.headrace.engine.descriptor.MediaCounts;
import io.headrace.engine.descriptor.MediaKind;
import io.headrace.engine.recipe.ProcessSpec.Template;
import io.headrace.media.process.ImageLayout;
import io.headrace.media.process.video.FrameTimes;
import io.headrace.media.process.video.SampledFrames;
import io.headrace.media.text.prompt.Prompt;
import io.headrace.media.text.prompt.Prompt.Caption;
import io.headrace.media.text.prompt.Prompt.Conversation;
import io.headrace.media.text.prompt.Prompt.Role;
import io.headrace.media.text.prompt.Prompt.Turn;
import io.headrace.media.text.prompt.PromptReader;
import io.headrace.media.text.row.RowWriter;
import io.headrace.media.text.token.LetterTokenizer;
import io.headrace.media.text.token.Tokenizer;
import io.headrace.media.text.token.Vocabularies;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PromptEncoderTest {

    private static final int PAD = 151655;

    @TempDir static Path folder;

    private static Tokenizer qwen;
    private static Tokenizer clip;
    private static PromptEncoder chatml;
    private static PromptEncoder captions;

    @BeforeAll
    static void open() throws IOException {
        qwen = Vocabularies.qwen(folder);
        clip = Vocabularies.clip(folder);
        chatml = PromptEncoder.of(Template.CHATML, MediaStyle.QWEN_VL, qwen);
        captions = PromptEncoder.of(Template.PLAIN, MediaStyle.APART, clip);
    }

    @AfterAll
    static void close() {
        qwen.close();
        clip.close();
    }

    private static JsonNode golden() throws IOException {
        try (InputStream in = PromptEncoderTest.class.getResourceAsStream("/tokens/chatml.json")) {
            JsonNode cases = new ObjectMapper().readTree(Objects.requireNonNull(in));
            assertThat(cases).hasSize(4);
            return cases;
        }
    }

    private static int[] ints(JsonNode list) {
        return IntStream.range(0, list.size()).map(i -> list.get(i).intValue()).toArray();
    }

    private static List<MediaSize> sizes(JsonNode grids) {
        List<MediaSize> sizes = new ArrayList<>();
        for (JsonNode grid : grids) {
            int height = grid.get(1).intValue();
            int width = grid.get(2).intValue();
            int patches = height * width;
            sizes.add(
                    MediaSize.of(
                            new ImageLayout(
                                    14 * width,
                                    14 * height,
                                    patches,
                                    1176,
                                    height,
                                    width,
                                    patches / 4,
                                    patches)));
        }
        return sizes;
    }

    private static EncodedText encoded(JsonNode golden) throws BadPayload, IOException {
        byte[] payload = new ObjectMapper().writeValueAsBytes(golden.get("payload"));
        Prompt prompt = PromptReader.read(payload, Codec.JSON, "conversations");
        List<MediaSize> sizes = sizes(golden.get("grids"));
        EncodedText text = chatml.encode(prompt, sizes, 4096);
        int pictureTokens = sizes.stream().mapToInt(MediaSize::tokens).sum();
        assertThat(chatml.count(prompt, MediaCounts.ofImages(sizes.size())) + pictureTokens)
                .isEqualTo(text.lengthTokens());
        return text;
    }

    /** Ids of the Qwen2.5-VL processor; labels where its template's generation mask is set. */
    @Test
    void conversationsEqualTheProcessorOfTransformers() throws Exception {
        for (JsonNode golden : golden()) {
            EncodedText text = encoded(golden);
            int[] ids = ints(golden.get("input_ids"));
            int[] assistant = ints(golden.get("assistant"));
            assertThat(text.ids()).as(golden.get("rendered").textValue()).isEqualTo(ids);
            int[] labels =
                    IntStream.range(0, ids.length)
                            .map(i -> assistant[i] == 1 ? ids[i] : EncodedText.UNTRAINED)
                            .toArray();
            assertThat(text.labels()).isEqualTo(labels);
        }
    }

    @Test
    void positionsEqualGetRopeIndexOfTransformers() throws Exception {
        for (JsonNode golden : golden()) {
            EncodedText text = encoded(golden);
            int length = text.lengthTokens();
            try (Arena arena = Arena.ofConfined()) {
                List<MemorySegment> planes =
                        IntStream.range(0, 3).mapToObj(p -> arena.allocate(8L * length)).toList();
                RowWriter.Row row =
                        new RowWriter.Row(
                                arena.allocate(8L * length),
                                arena.allocate(8L * length),
                                planes,
                                arena.allocate(4L * length));
                new RowWriter(length, 0).write(row, List.of(new RowWriter.Placed(text, 0)));
                for (int plane = 0; plane < 3; plane++) {
                    int[] expected = ints(golden.get("position_ids").get(plane));
                    assertThat(planes.get(plane).toArray(ValueLayout.JAVA_LONG))
                            .isEqualTo(IntStream.of(expected).asLongStream().toArray());
                }
            }
        }
    }

    @Test
    void aCaptionInChatmlIsTheAssistantsAnswerToThePictures() throws BadPayload {
        MediaSize size = MediaSize.image(1, 2);
        EncodedText text = chatml.encode(new Caption("A cat."), List.of(size), 100);
        EncodedText same =
                chatml.encode(
                        new Conversation(
                                List.of(
                                        Turn.of(Role.USER, "<image>"),
                                        Turn.of(Role.ASSISTANT, "A cat."))),
                        List.of(size),
                        100);
        assertThat(text.ids()).isEqualTo(same.ids()).containsSubsequence(PAD, PAD, 32, 8251, 13);
        assertThat(text.labels()).isEqualTo(same.labels()).endsWith(32, 8251, 13, 151645, -100);
        assertThat(chatml.encode(new Caption("<image>\nA cat."), List.of(size), 100).ids())
                .isEqualTo(text.ids());
    }

    @Test
    void contentThatStartsWithALineFeedIsTrainedThoughItSharesATokenWithTheHeader()
            throws BadPayload {
        EncodedText text =
                chatml.encode(
                        new Conversation(List.of(Turn.of(Role.ASSISTANT, "\nA"))), List.of(), 100);
        assertThat(text.ids()).endsWith(151644, 77091, 271, 32, 151645, 198);
        assertThat(text.labels()).endsWith(-100, -100, 271, 32, 151645, -100);
    }

    @Test
    void aPictureWrittenOutInTheModelsOwnTokensCountsAsAPlace() throws BadPayload {
        MediaSize size = MediaSize.image(2, 2);
        Prompt own =
                new Conversation(
                        List.of(
                                Turn.of(
                                        Role.USER,
                                        "Look: <|vision_start|><|image_pad|><|vision_end|>")));
        Prompt placeholder = new Conversation(List.of(Turn.of(Role.USER, "Look: <image>")));
        assertThat(chatml.encode(own, List.of(size), 100).ids())
                .isEqualTo(chatml.encode(placeholder, List.of(size), 100).ids());
    }

    @Test
    void anotherNumberOfPlacesThanPicturesIsAnErrorWithBoth() {
        Prompt two = new Conversation(List.of(Turn.of(Role.USER, "<image><image>")));
        for (int pictures : new int[] {0, 1, 3}) {
            BadPayload error =
                    catchThrowableOfType(
                            BadPayload.class,
                            () -> chatml.count(two, MediaCounts.ofImages(pictures)));
            assertThat(error.reason()).isEqualTo(Reason.MISSING_FIELD);
            assertThat(error)
                    .hasMessage("The text has places for 2 pictures, the sample has " + pictures);
        }
        Prompt silent = new Conversation(List.of(Turn.of(Role.ASSISTANT, "Hi.")));
        assertThat(
                        catchThrowableOfType(
                                BadPayload.class,
                                () -> chatml.count(silent, MediaCounts.ofImages(2))))
                .hasMessageStartingWith("2 of the sample's media without a place");
    }

    @Test
    void videosHaveTheirOwnTokenAndAreTextWithoutAVideo() throws BadPayload {
        MediaSize video = new MediaSize(MediaKind.VIDEO, 3, 1, 2, 1.5f);
        MediaSize image = MediaSize.image(2, 2);
        Prompt said =
                new Conversation(
                        List.of(
                                Turn.of(Role.USER, "<video>and <image>what?"),
                                Turn.of(Role.ASSISTANT, "A cat.")));
        EncodedText text = chatml.encode(said, List.of(image, video), 2048);
        int videoPad = qwen.id("<|video_pad|>").orElseThrow();
        int imagePad = qwen.id("<|image_pad|>").orElseThrow();
        assertThat(Arrays.stream(text.ids()).filter(id -> id == videoPad).count()).isEqualTo(6);
        assertThat(Arrays.stream(text.ids()).filter(id -> id == imagePad).count()).isEqualTo(4);
        assertThat(text.media()).extracting(MediaSpan::size).containsExactly(video, image);
        assertThat(chatml.count(said, new MediaCounts(1, 1, 0)) + 10)
                .isEqualTo(text.lengthTokens());
        EncodedText written = chatml.encode(said, List.of(image), 2048);
        String all = "<|im_start|>user\n<video>and <|vision_start|>";
        assertThat(written.ids()).containsSequence(qwen.ids(all, false));
        assertThat(
                        catchThrowableOfType(
                                BadPayload.class,
                                () -> chatml.count(said, new MediaCounts(1, 2, 0))))
                .hasMessage("The text has places for 1 videos, the sample has 2");
    }

    /** Ids of Qwen3VLProcessor (transformers 5.24) for 90 frames of 64 x 64 at 30 a second, of which 6 are taken. */
    @Test
    void pairsOfFramesOfQwen3StandBehindTheirTimes() throws BadPayload {
        PromptEncoder qwen3 = PromptEncoder.of(Template.CHATML, MediaStyle.QWEN3_VL, qwen);
        List<String> times = FrameTimes.ofPairs(SampledFrames.of(0, 18, 36, 53, 71, 89), 30);
        assertThat(times).containsExactly("0.3", "1.5", "2.7");
        MediaSize video = new MediaSize(MediaKind.VIDEO, 3, 2, 2, 0, times);
        Prompt said =
                new Conversation(
                        List.of(
                                Turn.of(Role.USER, "Look:<video> now"),
                                Turn.of(Role.ASSISTANT, "No.")));
        int[] expected = {
            151644, 872, 198, 10380, 25, 151652, 27, 15, 13, 18, 6486, 29, 151652, 151656, 151656,
            151656, 151656, 151653, 27, 16, 13, 20, 6486, 29, 151652, 151656, 151656, 151656,
            151656, 151653, 27, 17, 13, 22, 6486, 29, 151652, 151656, 151656, 151656, 151656,
            151653, 151653, 1431, 151645, 198, 151644, 77091, 198, 2753, 13, 151645, 198
        };
        EncodedText text = qwen3.encode(said, List.of(video), 2048);
        assertThat(text.ids()).containsExactly(expected);
        assertThat(text.media()).extracting(MediaSpan::startToken).containsExactly(13, 25, 37);
        assertThat(qwen3.count(said, new MediaCounts(0, 1, 0)) + video.tokens())
                .isEqualTo(expected.length);
        EncodedText masked = qwen3.masked(expected.length, List.of(video));
        assertThat(Arrays.stream(masked.ids()).filter(id -> id == 151656).count()).isEqualTo(12);
        assertThat(masked.media()).hasSize(3);
    }

    @Test
    void timesAreRoundedHalfToEvenAndCountTheirDigits() {
        assertThat(FrameTimes.tokens(List.of("0.3", "12.0", "1234.5"))).isEqualTo(6 + 7 + 9);
        assertThat(FrameTimes.ofPairs(SampledFrames.of(0, 1, 9), 2)).containsExactly("0.2", "4.5");
    }

    @Test
    void captionsOfClipAreCutBeforeTheirEndToken() throws BadPayload {
        EncodedText text = captions.encode(new Caption("a photo of a cat"), List.of(), 77);
        assertThat(text.ids()).containsExactly(49406, 320, 1125, 539, 320, 2368, 49407);
        assertThat(text.labels()).isEqualTo(text.ids());
        EncodedText cut = captions.encode(new Caption("cat ".repeat(100)), List.of(), 77);
        assertThat(cut.ids()).hasSize(77).startsWith(49406, 2368).endsWith(2368, 49407);
        assertThat(captions.count(new Caption("cat ".repeat(100)), MediaCounts.ofImages(1)))
                .isEqualTo(102);
        assertThat(captions.padId()).isEqualTo(49407);
    }

    @Test
    void whereTheModelKeepsPicturesOutOfTheTextAPlaceholderIsTextInCaptions() throws BadPayload {
        assertThat(captions.encode(new Caption("<image>"), List.of(), 77).ids())
                .isEqualTo(clip.ids("<image>", true));
        Prompt talk =
                new Conversation(
                        List.of(
                                Turn.of(Role.USER, "<image>\nWhat?"),
                                Turn.of(Role.ASSISTANT, "a photo")));
        assertThat(captions.encode(talk, List.of(), 77).ids()).isEqualTo(clip.ids("a photo", true));
    }

    @Test
    void aTextWithoutTokensIsEmptyUnlessThereIsAPicture() throws BadPayload {
        PromptEncoder plain =
                PromptEncoder.of(Template.PLAIN, MediaStyle.QWEN_VL, new LetterTokenizer());
        Caption nothing = new Caption("");
        assertThat(
                        catchThrowableOfType(
                                        BadPayload.class,
                                        () -> plain.count(nothing, MediaCounts.ofImages(0)))
                                .reason())
                .isEqualTo(BadPayload.Reason.EMPTY);
        assertThat(
                        catchThrowableOfType(
                                        BadPayload.class,
                                        () -> plain.encode(nothing, List.of(), 100))
                                .reason())
                .isEqualTo(BadPayload.Reason.EMPTY);
        assertThat(plain.count(nothing, MediaCounts.ofImages(1))).isEqualTo(2);
        EncodedText text = plain.encode(nothing, List.of(MediaSize.image(1, 2)), 100);
        assertThat(text.ids()).containsExactly(1, 2, 2, 3);
        assertThat(text.labels()).containsOnly(EncodedText.UNTRAINED);
        PromptEncoder apart =
                PromptEncoder.of(Template.PLAIN, MediaStyle.APART, new LetterTokenizer());
        assertThat(apart.encode(nothing, List.of(MediaSize.image(1, 1)), 100).ids()).isEmpty();
    }

    @Test
    void plainWithPicturesTrainsTheCaptionAlone() throws BadPayload {
        PromptEncoder plain =
                PromptEncoder.of(Template.PLAIN, MediaStyle.QWEN_VL, new LetterTokenizer());
        List<MediaSize> sizes = List.of(MediaSize.image(1, 2), MediaSize.image(1, 1));
        EncodedText text = plain.encode(new Caption("ab"), sizes, 100);
        assertThat(text.ids()).containsExactly(1, 2, 2, 3, 1, 2, 3, 'a', 'b');
        assertThat(text.labels())
                .containsExactly(-100, -100, -100, -100, -100, -100, -100, 'a', 'b');
        assertThat(text.media())
                .containsExactly(new MediaSpan(1, sizes.get(0)), new MediaSpan(5, sizes.get(1)));
        assertThat(plain.encode(new Caption("a<image>b<image>"), sizes, 100).ids())
                .containsExactly('a', 1, 2, 2, 3, 'b', 1, 2, 3);
        Prompt talk =
                new Conversation(
                        List.of(
                                Turn.of(Role.USER, "<image><image>\nq"),
                                Turn.of(Role.ASSISTANT, "a"),
                                Turn.of(Role.USER, "q"),
                                Turn.of(Role.ASSISTANT, "b")));
        assertThat(plain.encode(talk, sizes, 100).ids())
                .containsExactly(1, 2, 2, 3, 1, 2, 3, 'a', '\n', 'b');
    }

    @Test
    void aCutNeverGoesThroughAPictureNorTakesAllThatIsTrained() throws BadPayload {
        PromptEncoder plain =
                PromptEncoder.of(Template.PLAIN, MediaStyle.QWEN_VL, new LetterTokenizer());
        List<MediaSize> sizes = List.of(MediaSize.image(1, 2));
        Prompt prompt = new Caption("a<image>bcd");
        assertThat(plain.encode(prompt, sizes, 6).ids()).containsExactly('a', 1, 2, 2, 3, 'b');
        BadPayload through =
                catchThrowableOfType(BadPayload.class, () -> plain.encode(prompt, sizes, 4));
        assertThat(through.reason()).isEqualTo(Reason.TOO_LONG);
        assertThat(through).message().contains("8 tokens", "limit 4", "media at 5");
        BadPayload untrained =
                catchThrowableOfType(
                        BadPayload.class, () -> plain.encode(new Caption("<image>bcd"), sizes, 4));
        assertThat(untrained.reason()).isEqualTo(Reason.TOO_LONG);
        assertThat(untrained).message().contains("no trained token");
    }

    @Test
    void aMaskedSampleKeepsThePictureTokens() {
        List<MediaSize> sizes = List.of(MediaSize.image(1, 2), MediaSize.image(1, 1));
        PromptEncoder plain =
                PromptEncoder.of(Template.PLAIN, MediaStyle.QWEN_VL, new LetterTokenizer());
        assertThat(plain.masked(9, sizes).ids()).containsExactly(1, 2, 2, 3, 1, 2, 3, 0, 0);
        assertThat(plain.masked(9, sizes).labels()).containsOnly(-100);
        assertThat(plain.masked(4, sizes).ids()).containsExactly(2, 2, 2, 0);
        assertThat(captions.masked(3, List.of()).ids()).containsOnly(49407);
        assertThat(captions.masked(3, List.of()).untrained().labels()).containsOnly(-100);
    }

    @Test
    void aVocabularyWithoutTheTokensOfTheTemplateIsRefused() {
        assertThatThrownBy(() -> PromptEncoder.of(Template.CHATML, MediaStyle.APART, clip))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The vocabulary has no token <|im_start|>");
        assertThatThrownBy(() -> PromptEncoder.of(Template.PLAIN, MediaStyle.QWEN_VL, clip))
                .hasMessage("The vocabulary has no token <|vision_start|>");
    }

    /** Any conversation: the count is exact, and turn by turn gives the ids of the whole text. */
    @Test
    void countsAreExactForRandomConversations() throws BadPayload {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        String[] words = {
            "a", "\n", " ", "Größe", "<image>", "🙂", "<|im_end|>", "  x", "1,000", "\n\n", "'ll"
        };
        for (int run = 0; run < 200; run++) {
            List<Turn> turns = new ArrayList<>();
            StringBuilder whole =
                    new StringBuilder(
                            "<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n");
            int places = 0;
            for (int t = 0; t < 1 + random.nextInt(4); t++) {
                StringBuilder said = new StringBuilder();
                for (int w = 0; w < random.nextInt(12); w++) {
                    said.append(words[random.nextInt(words.length)]);
                }
                Role role = t % 2 == 0 ? Role.USER : Role.ASSISTANT;
                turns.add(Turn.of(role, said.toString()));
                places += said.toString().split("<image>", -1).length - 1;
                whole.append("<|im_start|>%s\n%s<|im_end|>\n".formatted(role.chatmlName(), said));
            }
            Prompt prompt = new Conversation(turns);
            List<MediaSize> sizes = new ArrayList<>();
            for (int p = 0; p < places; p++) {
                int width = 1 + random.nextInt(5);
                sizes.add(MediaSize.image(3, width));
            }
            EncodedText text = chatml.encode(prompt, sizes, 100_000);
            int pictureTokens = sizes.stream().mapToInt(MediaSize::tokens).sum();
            assertThat(chatml.count(prompt, MediaCounts.ofImages(places)) + pictureTokens)
                    .as("seed %d run %d", seed, run)
                    .isEqualTo(text.lengthTokens());
            String one =
                    whole.toString()
                            .replace("<image>", "<|vision_start|><|image_pad|><|vision_end|>");
            String many = one;
            for (MediaSize size : sizes) {
                many = many.replaceFirst("<\\|image_pad\\|>", "<|IMAGE|>".repeat(size.tokens()));
            }
            assertThat(text.ids())
                    .as("seed %d run %d", seed, run)
                    .isEqualTo(qwen.ids(many.replace("<|IMAGE|>", "<|image_pad|>"), false));
        }
    }
}
