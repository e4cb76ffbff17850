package io.headrace.media.text;

import java.util.Arrays;
import java.util.List;

/**
 * The ids of one sample, media expanded, and which of them are trained. Immutable. {@code labels} are aligned with the ids, not
 * shifted: the loss of transformers shifts them itself.
 */
public final class EncodedText {

    /** Label of a token that gives no loss. */
    public static final int UNTRAINED = -100;

    private final int[] ids;
    private final int[] labels;
    private final List<MediaSpan> media;

    /** Takes the arrays over; nobody else may change them. */
    EncodedText(int[] ids, int[] labels, List<MediaSpan> media) {
        if (ids.length != labels.length) {
            throw new IllegalArgumentException(ids.length + " ids, " + labels.length + " labels");
        }
        this.ids = ids;
        this.labels = labels;
        this.media = List.copyOf(media);
    }

    public int lengthTokens() {
        return ids.length;
    }

    public int id(int token) {
        return ids[token];
    }

    public int label(int token) {
        return labels[token];
    }

    /** A copy of the ids. */
    public int[] ids() {
        return ids.clone();
    }

    /** A copy of the labels: the id where it is trained, else {@link #UNTRAINED}. */
    public int[] labels() {
        return labels.clone();
    }

    /** Where pictures, videos and audio stand, in order. */
    public List<MediaSpan> media() {
        return media;
    }

    /** The same ids, none trained: for a sample whose picture could not be decoded. */
    public EncodedText untrained() {
        int[] none = new int[ids.length];
        Arrays.fill(none, UNTRAINED);
        return new EncodedText(ids, none, media);
    }
}
