package io.headrace.media.text.token;

import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The vocabulary of a {@code tokenizer.json}, run by the Hugging Face tokenizers library: its ids are those of Python. Truncation and
 * padding that the file asks for are off. A call runs on the caller's thread and starts none.
 *
 * <p>Thread-safe: the native vocabulary does not change after the constructor; only {@code close} excludes other calls.
 */
public final class HuggingFaceTokenizer implements Tokenizer {

    private final ReadWriteLock life = new ReentrantReadWriteLock();
    private final int padId;

    /** The native vocabulary; 0 once closed. Guarded by {@link #life}. */
    private long handle;

    private HuggingFaceTokenizer(long handle, Path file) throws IOException {
        this.handle = handle;
        this.padId = PadToken.find(this, file);
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
            return new HuggingFaceTokenizer(handle, tokenizerJson);
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
            long encoding = TokenizersLibrary.LIB.encode(handle, text, withSpecialTokens);
            try {
                return narrowed(TokenizersLibrary.LIB.getTokenIds(encoding));
            } finally {
                TokenizersLibrary.LIB.deleteEncoding(encoding);
            }
        } finally {
            life.readLock().unlock();
        }
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

    private static int[] narrowed(long[] ids) {
        int[] narrow = new int[ids.length];
        for (int i = 0; i < ids.length; i++) {
            narrow[i] = Math.toIntExact(ids[i]);
        }
        return narrow;
    }
}
