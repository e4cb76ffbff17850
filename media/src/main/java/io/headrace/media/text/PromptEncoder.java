package io.headrace.media.text;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.MediaCounts;
import io.headrace.engine.descriptor.MediaKind;
import io.headrace.engine.recipe.ProcessSpec.Template;
import io.headrace.media.process.video.FrameTimes;
import io.headrace.media.text.prompt.Prompt;
import io.headrace.media.text.token.Tokenizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * From a prompt to ids and labels by one template and one vocabulary. Thread-safe: it holds no state but the tokenizer, which it does
 * not close.
 *
 * <p>For every prompt that fits, {@code count(prompt, n) + sum(tokens of the media)} is the length of what {@code encode} gives; a
 * longer one is cut to the limit.
 */
public final class PromptEncoder {

    /** A time with each digit. */
    private static final String PROBED_TIME = "1234567890.5";

    private final Tokenizer tokenizer;
    private final Renderer renderer;
    private final MediaTokens tokens;
    private final MediaStyle style;
    private final int padId;

    private PromptEncoder(
            Tokenizer tokenizer, Renderer renderer, MediaStyle style, MediaTokens tokens) {
        this.tokenizer = tokenizer;
        this.renderer = renderer;
        this.style = style;
        this.tokens = tokens;
        this.padId = tokenizer.padId();
    }

    /**
     * @param style how the model writes the places of media
     * @throws IllegalArgumentException if the vocabulary lacks a token that the template or pictures need; the message names it
     */
    public static PromptEncoder of(Template template, MediaStyle style, Tokenizer tokenizer) {
        Renderer renderer =
                switch (template) {
                    case PLAIN -> new PlainRenderer(tokenizer, style);
                    case CHATML -> new ChatmlRenderer(tokenizer, style);
                };
        MediaTokens tokens = MediaTokens.of(tokenizer, style);
        if (style == MediaStyle.QWEN3_VL && tokens.of(MediaKind.VIDEO) != null) {
            timeIds(tokenizer, PROBED_TIME);
        }
        return new PromptEncoder(tokenizer, renderer, style, tokens);
    }

    /** Ids of a written time; their number is known before, since a vocabulary of Qwen has a token for each digit and none for two. */
    private static int[] timeIds(Tokenizer tokenizer, String time) {
        String written = FrameTimes.written(time);
        int[] ids = tokenizer.ids(written, false);
        int expected = FrameTimes.tokens(List.of(time));
        if (ids.length != expected) {
            throw new IllegalArgumentException(
                    "The vocabulary has %d tokens for %s, the vocabularies of Qwen3-VL %d"
                            .formatted(ids.length, written, expected));
        }
        return ids;
    }

    /** The id that fills a row behind its last sample. */
    public int padId() {
        return padId;
    }

    /**
     * Tokens of a prompt with its template, each picture, video and audio counted as none, neither cut nor padded.
     *
     * @throws BadPayload if the prompt has places for another number of media, or if it gives no token and has none
     */
    public int count(Prompt prompt, MediaCounts media) throws BadPayload {
        Draft draft = draft(prompt, media);
        int places = 0;
        for (MediaKind kind : MediaKind.values()) {
            places += tokens.of(kind) == null ? 0 : media.of(kind);
        }
        return draft.size() - places;
    }

    /**
     * Ids and labels of a prompt, cut to {@code maxTokens} at its end; the vocabulary's own end token stays.
     *
     * @param media sizes of the sample's media; those of a kind in order
     * @throws BadPayload if the prompt has places for another number of media, or if the cut would take part of one or every trained
     *     token
     */
    public EncodedText encode(Prompt prompt, List<MediaSize> media, int maxTokens)
            throws BadPayload {
        MediaCounts counts = MediaCounts.ofKinds(media.stream().map(MediaSize::kind).toList());
        return cut(expanded(draft(prompt, counts), media), maxTokens);
    }

    /**
     * What stands in the place of a sample without usable text: a run of pad tokens for each picture, video or audio, so that their
     * number still fits the features, then the row's filling. Nothing is trained.
     */
    public EncodedText masked(int lengthTokens, List<MediaSize> media) {
        int[] ids = new int[lengthTokens];
        Arrays.fill(ids, padId);
        List<MediaSpan> spans = new ArrayList<>();
        List<MediaSize> inSequence =
                media.stream()
                        .filter(size -> tokens.of(size.kind()) != null)
                        .flatMap(size -> size.spans().stream())
                        .toList();
        int needed = inSequence.stream().mapToInt(MediaSize::tokens).sum();
        boolean around = needed + 2 * inSequence.size() <= lengthTokens;
        int at = 0;
        for (MediaSize size : inSequence) {
            MediaTokens.Ids marks = Objects.requireNonNull(tokens.of(size.kind()));
            at = mark(ids, at, marks.start(), around);
            spans.add(new MediaSpan(at, size));
            Arrays.fill(ids, at, at + size.tokens(), marks.pad());
            at = mark(ids, at + size.tokens(), marks.end(), around);
        }
        return new EncodedText(ids, new int[lengthTokens], spans).untrained();
    }

    private static int mark(int[] ids, int at, int mark, boolean written) {
        if (!written || mark == MediaTokens.NONE) {
            return at;
        }
        ids[at] = mark;
        return at + 1;
    }

    private Draft draft(Prompt prompt, MediaCounts media) throws BadPayload {
        Draft draft = renderer.render(prompt, media);
        if (draft.size() == 0 && media.total() == 0) {
            throw new BadPayload(Reason.EMPTY, "The text gives no token, and there is no picture");
        }
        for (MediaKind kind : MediaKind.values()) {
            MediaTokens.Ids marks = tokens.of(kind);
            int places = marks == null ? 0 : draft.count(marks.pad());
            if (style.inSequence() && places != media.of(kind)) {
                throw new BadPayload(
                        Reason.MISSING_FIELD,
                        "The text has places for %d %s, the sample has %d"
                                .formatted(places, named(kind), media.of(kind)));
            }
        }
        return draft;
    }

    private static String named(MediaKind kind) {
        return switch (kind) {
            case IMAGE -> "pictures";
            case VIDEO -> "videos";
            case AUDIO -> "recordings";
        };
    }

    private EncodedText expanded(Draft draft, List<MediaSize> media) {
        Map<MediaKind, Iterator<MediaSize>> next = new EnumMap<>(MediaKind.class);
        for (MediaKind kind : MediaKind.values()) {
            next.put(kind, media.stream().filter(s -> s.kind() == kind).iterator());
        }
        int length = draft.size();
        for (MediaSize size : media) {
            length += tokens.of(size.kind()) == null ? 0 : size.tokens() - 1;
        }
        int[] ids = new int[length];
        int[] labels = new int[length];
        List<MediaSpan> spans = new ArrayList<>();
        int at = 0;
        for (int i = 0; i < draft.size(); i++) {
            int id = draft.id(i);
            MediaKind kind = tokens.padOf(id);
            if (kind != null) {
                MediaSize size = Objects.requireNonNull(next.get(kind)).next();
                int end = place(size, ids, at, spans);
                Arrays.fill(labels, at, end, EncodedText.UNTRAINED);
                at = end;
            } else {
                boolean trained = draft.isTrained(i) && !tokens.contains(id);
                ids[at] = id;
                labels[at++] = trained ? id : EncodedText.UNTRAINED;
            }
        }
        return new EncodedText(ids, labels, spans);
    }

    /** Writes the places of one medium from {@code first} on; gives the end. */
    private int place(MediaSize size, int[] ids, int first, List<MediaSpan> spans) {
        MediaTokens.Ids marks = Objects.requireNonNull(tokens.of(size.kind()));
        int at = first;
        for (int i = 0; i < size.spans().size(); i++) {
            boolean timed = !size.times().isEmpty();
            if (timed) {
                int[] time = timeIds(tokenizer, size.times().get(i));
                System.arraycopy(time, 0, ids, at, time.length);
                at = mark(ids, at + time.length, marks.start(), true);
            }
            MediaSize span = size.spans().get(i);
            spans.add(new MediaSpan(at, span));
            Arrays.fill(ids, at, at + span.tokens(), marks.pad());
            at = mark(ids, at + span.tokens(), marks.end(), timed);
        }
        return at;
    }

    private EncodedText cut(EncodedText whole, int maxTokens) throws BadPayload {
        int length = whole.lengthTokens();
        if (length <= maxTokens) {
            return whole;
        }
        int suffix = renderer.suffixTokens();
        int head = maxTokens - suffix;
        int mediaEnd = whole.media().isEmpty() ? 0 : whole.media().getLast().endToken() + 1;
        if (head < Math.max(1, mediaEnd)) {
            throw new BadPayload(
                    Reason.TOO_LONG,
                    "%d tokens, limit %d: the cut would fall before the end of the media at %d"
                            .formatted(length, maxTokens, mediaEnd));
        }
        int[] ids = joined(whole.ids(), head, suffix);
        int[] labels = joined(whole.labels(), head, suffix);
        if (trained(whole.labels()) && !trained(labels)) {
            throw new BadPayload(
                    Reason.TOO_LONG,
                    "%d tokens, limit %d: no trained token lies within it"
                            .formatted(length, maxTokens));
        }
        return new EncodedText(ids, labels, whole.media());
    }

    private static int[] joined(int[] values, int head, int suffix) {
        int[] cut = Arrays.copyOf(values, head + suffix);
        System.arraycopy(values, values.length - suffix, cut, head, suffix);
        return cut;
    }

    private static boolean trained(int[] labels) {
        return Arrays.stream(labels).anyMatch(label -> label != EncodedText.UNTRAINED);
    }
}
