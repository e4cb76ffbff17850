package io.headrace.media.text.token;

/** Tokens of a text where no tokenizer is given: an estimate, marked as such in the index. */
public final class TokenEstimate {

    /** Bytes of UTF-8 a token, as English prose has it with vocabularies of 50,000 to 150,000. */
    public static final int BYTES_PER_TOKEN = 4;

    private TokenEstimate() {}

    /** Estimated tokens of a payload, rounded up. */
    public static int ofBytes(long payloadBytes) {
        return Math.toIntExact(Math.ceilDiv(payloadBytes, (long) BYTES_PER_TOKEN));
    }
}
