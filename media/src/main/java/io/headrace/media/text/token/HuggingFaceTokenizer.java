package io.headrace.media.text.token;

import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * The vocabulary of a {@code tokenizer.json}, run by the Hugging Face tokenizers library: its ids are those of Python. Truncation and
 * padding that the file asks for are off. ASCII text is put together from cached words where that gives the same ids. A call runs on the caller's thread and starts none.
 *
 * <p>Thread-safe: the native vocabulary does not change after the constructor; only {@code close} excludes other calls.
 */
public final class HuggingFaceTokenizer implements Tokenizer {

    /** Words, spaces, contractions, digits and line ends: every branch of the usual expressions. */
    private static final String PROBE =
            "It's  2026: a Cat's \"x\"\r\n\n\t(IT'LL) cost $1,000.50!\n \n  end ";

    private final ReadWriteLock life = new ReentrantReadWriteLock();
    private final int padId;
    private final int[] prefix;
    private final int[] suffix;

    /** Null where the vocabulary's settings do not let words be tokenized alone. */
    private final @Nullable WordCache cache;

    /** The native vocabulary; 0 once closed. Guarded by {@link #life}. */
    private long handle;

    private HuggingFaceTokenizer(long handle, JsonNode head, Path file) throws IOException {
        this.handle = handle;
        int[] bare = libraryIds(PROBE, false);
        int[] whole = libraryIds(PROBE, true);
        int start = Collections.indexOfSubList(boxed(whole), boxed(bare));
        this.prefix = Arrays.copyOf(whole, Math.max(0, start));
        this.suffix = Arrays.copyOfRange(whole, prefix.length + bare.length, whole.length);
        this.cache = start < 0 ? null : cache(head);
        this.padId = PadToken.find(this, head, file);
    }

    /** The cache of words, if it gives the ids of the library for the probe. */
    private @Nullable WordCache cache(JsonNode head) {
        return AsciiSplitter.of(head)
                .map(splitter -> new WordCache(splitter, word -> libraryIds(word, false)))
                .filter(words -> Arrays.equals(words.ids(PROBE), libraryIds(PROBE, false)))
                .orElse(null);
    }

    private static List<Integer> boxed(int[] ids) {
        return Arrays.stream(ids).boxed().toList();
    }

    /**
     * Reads a vocabulary. No other address than the file and a {@code tokenizer_config.json} beside it is looked at.
     *
     * @throws IOException if the file cannot be read or is no tokenizer.json; the message names it
     */
    public static HuggingFaceTokenizer open(Path tokenizerJson) throws IOException {
        String json = Files.readString(tokenizerJson);
        TokenizersNative.load();
        long handle;
        try {
            handle = TokenizersLibrary.LIB.createTokenizerFromString(json);
        } catch (RuntimeException e) {
            throw new IOException(
                    "Not a tokenizer.json: " + tokenizerJson + ": " + e.getMessage(), e);
        }
        TokenizersLibrary.LIB.disableTruncation(handle);
        TokenizersLibrary.LIB.disablePadding(handle);
        try {
            return new HuggingFaceTokenizer(handle, TokenizerHead.read(json), tokenizerJson);
        } catch (IOException | RuntimeException e) {
            TokenizersLibrary.LIB.deleteTokenizer(handle);
            throw e;
        }
    }

    @Override
    public int[] ids(String text, boolean withSpecialTokens) {
        life.readLock().lock();
        try {
            if (handle == 0) {
                throw new IllegalStateException("The tokenizer is closed");
            }
            if (cache == null || !AsciiSplitter.isAscii(text)) {
                return libraryIds(text, withSpecialTokens);
            }
            int[] bare = cache.ids(text);
            return withSpecialTokens ? joined(prefix, bare, suffix) : bare;
        } finally {
            life.readLock().unlock();
        }
    }

    boolean cachesWords() {
        return cache != null;
    }

    @Override
    public int padId() {
        return padId;
    }

    @Override
    public void close() {
        life.writeLock().lock();
        try {
            if (handle != 0) {
                TokenizersLibrary.LIB.deleteTokenizer(handle);
                handle = 0;
            }
        } finally {
            life.writeLock().unlock();
        }
    }

    /** What the library gives, without the cache. The caller holds the read lock or is the constructor. */
    int[] libraryIds(String text, boolean withSpecialTokens) {
        long encoding = TokenizersLibrary.LIB.encode(handle, text, withSpecialTokens);
        try {
            return narrowed(TokenizersLibrary.LIB.getTokenIds(encoding));
        } finally {
            TokenizersLibrary.LIB.deleteEncoding(encoding);
        }
    }

    private static int[] joined(int[] prefix, int[] middle, int[] suffix) {
        int[] all = Arrays.copyOf(prefix, prefix.length + middle.length + suffix.length);
        System.arraycopy(middle, 0, all, prefix.length, middle.length);
        System.arraycopy(suffix, 0, all, prefix.length + middle.length, suffix.length);
        return all;
    }

    private static int[] narrowed(long[] ids) {
        int[] narrow = new int[ids.length];
        for (int i = 0; i < ids.length; i++) {
            narrow[i] = Math.toIntExact(ids[i]);
        }
        return narrow;
    }
}
