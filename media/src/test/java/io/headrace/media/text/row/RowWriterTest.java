package io.headrace.media.text.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.MediaKind;
import io.headrace.engine.recipe.ProcessSpec.Template;
import io.headrace.media.text.EncodedText;
import io.headrace.media.text.MediaSize;
import io.headrace.media.text.MediaStyle;
import io.headrace.media.text.PromptEncoder;
import io.headrace.media.text.prompt.Prompt;
import io.headrace.media.text.row.RowWriter.Placed;
import io.headrace.media.text.row.RowWriter.Row;
import io.headrace.media.text.token.LetterTokenizer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rows of a vocabulary of letters: 'a' is 97, start of picture 1, picture 2, end 3, padding 0. */
class RowWriterTest {

    private static final PromptEncoder LETTERS =
            PromptEncoder.of(Template.PLAIN, MediaStyle.QWEN_VL, new LetterTokenizer());

    private static EncodedText text(String caption, MediaSize... sizes) throws BadPayload {
        return LETTERS.encode(new Prompt.Caption(caption), List.of(sizes), 1000);
    }

    /** The tensors of one row on dirty memory of exactly its size. */
    private static final class Tensors {
        final int length;
        final MemorySegment ids;
        final MemorySegment labels;
        final MemorySegment positions;
        final MemorySegment segments;

        Tensors(Arena arena, int length, int planes) {
            this.length = length;
            ids = arena.allocate(8L * length).fill((byte) 0x5A);
            labels = arena.allocate(8L * length).fill((byte) 0x5A);
            positions = arena.allocate(8L * length * planes).fill((byte) 0x5A);
            segments = arena.allocate(4L * length).fill((byte) 0x5A);
        }

        Row row(int planes) {
            return new Row(
                    ids,
                    labels,
                    IntStream.range(0, planes)
                            .mapToObj(p -> positions.asSlice(8L * length * p, 8L * length))
                            .toList(),
                    segments);
        }

        static long[] longs(MemorySegment segment) {
            return segment.toArray(ValueLayout.JAVA_LONG);
        }
    }

    @Test
    void aPackRestartsPositionsAndNumbersSegments() throws BadPayload {
        try (Arena arena = Arena.ofConfined()) {
            Tensors out = new Tensors(arena, 9, 1);
            new RowWriter(9, 0)
                    .write(
                            out.row(1),
                            List.of(new Placed(text("abc"), 0), new Placed(text("de"), 4)));
            assertThat(Tensors.longs(out.ids)).containsExactly(97, 98, 99, 0, 100, 101, 0, 0, 0);
            assertThat(Tensors.longs(out.labels))
                    .containsExactly(-100, 98, 99, -100, -100, 101, -100, -100, -100);
            assertThat(Tensors.longs(out.positions)).containsExactly(0, 1, 2, 0, 0, 1, 0, 0, 0);
            assertThat(out.segments.toArray(ValueLayout.JAVA_INT))
                    .containsExactly(1, 1, 1, 0, 2, 2, 0, 0, 0);
        }
    }

    /** By hand: a picture of 2 x 3 tokens behind one start token has p = 1; what follows goes on at 1 + 3. */
    @Test
    void mropeOfAPictureCountsRowsAndColumnsAndGoesOnBehindTheLongerSide() throws BadPayload {
        try (Arena arena = Arena.ofConfined()) {
            Tensors out = new Tensors(arena, 10, 3);
            new RowWriter(10, 0)
                    .write(
                            out.row(3),
                            List.of(new Placed(text("<image>a", MediaSize.image(2, 3)), 1)));
            assertThat(Tensors.longs(out.ids)).containsExactly(0, 1, 2, 2, 2, 2, 2, 2, 3, 97);
            assertThat(Tensors.longs(out.positions))
                    .containsExactly(
                            0, 0, 1, 1, 1, 1, 1, 1, 4, 5, //
                            0, 0, 1, 1, 1, 2, 2, 2, 4, 5, //
                            0, 0, 1, 2, 3, 1, 2, 3, 4, 5);
            assertThat(Tensors.longs(out.labels))
                    .containsExactly(-100, -100, -100, -100, -100, -100, -100, -100, -100, 97);
        }
    }

    /** By hand: times are 0, floor(1.5) and floor(3.0) apart; what follows goes on at 1 + 2, as get_rope_index of transformers has it. */
    @Test
    void mropeOfAVideoCountsTimesByItsInterval() throws BadPayload {
        MediaSize video = new MediaSize(MediaKind.VIDEO, 3, 1, 2, 1.5f);
        try (Arena arena = Arena.ofConfined()) {
            Tensors out = new Tensors(arena, 9, 3);
            new RowWriter(9, 0).write(out.row(3), List.of(new Placed(text("<video>a", video), 0)));
            assertThat(Tensors.longs(out.ids)).containsExactly(1, 6, 6, 6, 6, 6, 6, 3, 97);
            assertThat(Tensors.longs(out.positions))
                    .containsExactly(
                            0, 1, 1, 2, 2, 4, 4, 3, 4, //
                            0, 1, 1, 1, 1, 1, 1, 3, 4, //
                            0, 1, 2, 1, 2, 1, 2, 3, 4);
        }
    }

    @Test
    void anEmptyRowIsPadding() {
        try (Arena arena = Arena.ofConfined()) {
            Tensors out = new Tensors(arena, 2, 3);
            new RowWriter(2, 7).write(out.row(3), List.of());
            assertThat(Tensors.longs(out.ids)).containsExactly(7, 7);
            assertThat(Tensors.longs(out.labels)).containsExactly(-100, -100);
            assertThat(Tensors.longs(out.positions)).containsOnly(0).hasSize(6);
            assertThat(out.segments.toArray(ValueLayout.JAVA_INT)).containsExactly(0, 0);
        }
    }

    @Test
    void samplesOutsideTheRowOrOverEachOtherAreRefused() throws BadPayload {
        EncodedText abc = text("abc");
        try (Arena arena = Arena.ofConfined()) {
            Row row = new Tensors(arena, 5, 1).row(1);
            RowWriter writer = new RowWriter(5, 0);
            assertThatThrownBy(() -> writer.write(row, List.of(new Placed(abc, 3))))
                    .hasMessage("Sample 0 at 3 to 6, free from 0 to 5");
            assertThatThrownBy(
                            () ->
                                    writer.write(
                                            row, List.of(new Placed(abc, 0), new Placed(abc, 2))))
                    .hasMessage("Sample 1 at 2 to 5, free from 3 to 5");
            assertThatThrownBy(
                            () ->
                                    new Row(
                                            row.inputIds(),
                                            row.labels(),
                                            List.of(),
                                            row.segmentIds()))
                    .hasMessage("0 position planes");
        }
    }

    @Test
    void boundsOfSequencesNeverSpanRowsAndEndAtTheMicrobatch() {
        assertThat(
                        SequenceBounds.of(
                                2,
                                10,
                                List.of(
                                        new SequenceBounds.Extent(0, 0, 4),
                                        new SequenceBounds.Extent(0, 4, 6),
                                        new SequenceBounds.Extent(1, 0, 7))))
                .containsExactly(0, 4, 10, 17, 20);
        assertThat(SequenceBounds.of(1, 5, List.of())).containsExactly(0, 5);
    }
}
