package io.headrace.media.text.token;

import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/**
 * Ids of ASCII text, put together from the ids of its words. Each word is asked of the library once and kept; a full cache keeps what it
 * has. Thread-safe.
 */
final class WordCache {

    /** Words kept: a few megabytes, and most of a language's running text. */
    private static final int MOST_WORDS = 1 << 16;

    /** Longer words are seldom seen twice. */
    private static final int MOST_CHARS = 32;

    private final AsciiSplitter splitter;
    private final Function<String, int[]> library;
    private final ConcurrentMap<String, int[]> words = new ConcurrentHashMap<>();

    /**
     * @param library ids of a text without the vocabulary's start and end tokens
     */
    WordCache(AsciiSplitter splitter, Function<String, int[]> library) {
        this.splitter = splitter;
        this.library = library;
    }

    int[] ids(String asciiText) {
        Ids ids = new Ids(asciiText.length() / 4 + 8);
        splitter.split(asciiText, piece -> ids.add(word(piece)));
        return ids.toArray();
    }

    private int[] word(String piece) {
        int[] known = words.get(piece);
        if (known != null) {
            return known;
        }
        int[] ids = library.apply(piece);
        if (piece.length() <= MOST_CHARS && words.size() < MOST_WORDS) {
            words.put(piece, ids);
        }
        return ids;
    }

    /** A growing list of ids. */
    private static final class Ids {
        private int[] ids;
        private int size;

        Ids(int capacity) {
            ids = new int[capacity];
        }

        void add(int[] more) {
            if (size + more.length > ids.length) {
                ids = Arrays.copyOf(ids, Math.max(size + more.length, 2 * ids.length));
            }
            System.arraycopy(more, 0, ids, size, more.length);
            size += more.length;
        }

        int[] toArray() {
            return Arrays.copyOf(ids, size);
        }
    }
}
