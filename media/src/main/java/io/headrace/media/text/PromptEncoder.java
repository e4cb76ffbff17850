package io.headrace.media.text;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.recipe.ProcessSpec.Template;
import io.headrace.media.text.prompt.Prompt;
import io.headrace.media.text.token.Tokenizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * From a prompt to ids and labels by one template and one vocabulary. Thread-safe: it holds no state but the tokenizer, which it does
 * not close.
 *
 * <p>For every prompt that fits, {@code count(prompt, n) + sum(tokens of the pictures)} is the length of what {@code encode} gives; a
 * longer one is cut to the limit.
 */
public final class PromptEncoder {

    private final Renderer renderer;
    private final @Nullable VisionTokens vision;
    private final int padId;

    private PromptEncoder(Renderer renderer, @Nullable VisionTokens vision, int padId) {
        this.renderer = renderer;
        this.vision = vision;
        this.padId = padId;
    }

    /**
     * @param picturesInSequence whether the model's pictures take positions among the text (Qwen2.5-VL) or not (CLIP, SigLIP)
     * @throws IllegalArgumentException if the vocabulary lacks a token that the template or the pictures need; the message names it
     */
    public static PromptEncoder of(
            Template template, boolean picturesInSequence, Tokenizer tokenizer) {
        Renderer renderer =
                switch (template) {
                    case PLAIN -> new PlainRenderer(tokenizer, picturesInSequence);
                    case CHATML -> new ChatmlRenderer(tokenizer, picturesInSequence);
                };
        VisionTokens vision = picturesInSequence ? VisionTokens.of(tokenizer) : null;
        return new PromptEncoder(renderer, vision, tokenizer.padId());
    }

    /** The id that fills a row behind its last sample. */
    public int padId() {
        return padId;
    }

    /**
     * Tokens of a prompt with its template, each picture counted as none, neither cut nor padded.
     *
     * @throws BadPayload if the prompt has places for another number of pictures, or if it gives no token and has none
     */
    public int count(Prompt prompt, int pictures) throws BadPayload {
        Draft draft = draft(prompt, pictures);
        return vision == null ? draft.size() : draft.size() - pictures;
    }

    /**
     * Ids and labels of a prompt, cut to {@code maxTokens} at its end; the vocabulary's own end token stays.
     *
     * @param pictures sizes of the sample's pictures, in order
     * @throws BadPayload if the prompt has places for another number of pictures, or if the cut would take part of a picture or every
     *     trained token
     */
    public EncodedText encode(Prompt prompt, List<PictureSize> pictures, int maxTokens)
            throws BadPayload {
        Draft draft = draft(prompt, pictures.size());
        return cut(expanded(draft, pictures), maxTokens);
    }

    /**
     * What stands in the place of a sample without usable text: a run of pad tokens for each picture, so that their number still fits
     * the pixels, then the row's filling. Nothing is trained.
     */
    public EncodedText masked(int lengthTokens, List<PictureSize> pictures) {
        int[] ids = new int[lengthTokens];
        Arrays.fill(ids, padId);
        List<PictureSpan> spans = new ArrayList<>();
        if (vision != null) {
            int needed = pictures.stream().mapToInt(PictureSize::tokens).sum();
            int around = needed + 2 * pictures.size() <= lengthTokens ? 1 : 0;
            int at = 0;
            for (PictureSize size : pictures) {
                spans.add(new PictureSpan(at + around, size));
                ids[at] = vision.start();
                Arrays.fill(ids, at + around, at + around + size.tokens(), vision.pad());
                at += around + size.tokens();
                if (around == 1) {
                    ids[at++] = vision.end();
                }
            }
        }
        return new EncodedText(ids, new int[lengthTokens], spans).untrained();
    }

    private Draft draft(Prompt prompt, int pictures) throws BadPayload {
        Draft draft = renderer.render(prompt, pictures);
        if (draft.size() == 0 && pictures == 0) {
            throw new BadPayload(Reason.EMPTY, "The text gives no token, and there is no picture");
        }
        int places = vision == null ? pictures : draft.count(vision.pad());
        if (places != pictures) {
            throw new BadPayload(
                    Reason.MISSING_FIELD,
                    "The text has places for %d pictures, the sample has %d"
                            .formatted(places, pictures));
        }
        return draft;
    }

    private EncodedText expanded(Draft draft, List<PictureSize> pictures) {
        int length = draft.size();
        if (vision != null) {
            length += pictures.stream().mapToInt(size -> size.tokens() - 1).sum();
        }
        int[] ids = new int[length];
        int[] labels = new int[length];
        List<PictureSpan> spans = new ArrayList<>();
        int at = 0;
        for (int i = 0; i < draft.size(); i++) {
            int id = draft.id(i);
            boolean picture = vision != null && id == vision.pad();
            int copies = picture ? pictures.get(spans.size()).tokens() : 1;
            boolean trained = draft.isTrained(i) && (vision == null || !vision.contains(id));
            Arrays.fill(ids, at, at + copies, id);
            Arrays.fill(labels, at, at + copies, trained ? id : EncodedText.UNTRAINED);
            if (picture) {
                spans.add(new PictureSpan(at, pictures.get(spans.size())));
            }
            at += copies;
        }
        return new EncodedText(ids, labels, spans);
    }

    private EncodedText cut(EncodedText whole, int maxTokens) throws BadPayload {
        int length = whole.lengthTokens();
        if (length <= maxTokens) {
            return whole;
        }
        int suffix = renderer.suffixTokens();
        int head = maxTokens - suffix;
        int picturesEnd =
                whole.pictures().isEmpty() ? 0 : whole.pictures().getLast().endToken() + 1;
        if (head < Math.max(1, picturesEnd)) {
            throw new BadPayload(
                    Reason.TOO_LONG,
                    "%d tokens, limit %d: the cut would fall before the end of the pictures at %d"
                            .formatted(length, maxTokens, picturesEnd));
        }
        int[] ids = joined(whole.ids(), head, suffix);
        int[] labels = joined(whole.labels(), head, suffix);
        if (trained(whole.labels()) && !trained(labels)) {
            throw new BadPayload(
                    Reason.TOO_LONG,
                    "%d tokens, limit %d: no trained token lies within it"
                            .formatted(length, maxTokens));
        }
        return new EncodedText(ids, labels, whole.pictures());
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
