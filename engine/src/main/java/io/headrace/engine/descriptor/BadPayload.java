package io.headrace.engine.descriptor;

/**
 * A payload that cannot be used: the sample is skipped by the recipe's error policy, never the job broken. Carries what the decoder
 * knows; source, shard, member, step and rank are added by the one who asked for the sample.
 */
public final class BadPayload extends Exception {

    private static final long serialVersionUID = 1;

    private final Reason reason;
    private final long offsetBytes;

    /**
     * @param detail what was found and what was needed, without the name of the file
     * @param offsetBytes where in the payload; -1 if unknown
     */
    public BadPayload(Reason reason, String detail, long offsetBytes) {
        super(detail);
        this.reason = reason;
        this.offsetBytes = offsetBytes;
    }

    public BadPayload(Reason reason, String detail) {
        this(reason, detail, -1);
    }

    public Reason reason() {
        return reason;
    }

    public long offsetBytes() {
        return offsetBytes;
    }

    /** Why a sample is skipped; the names are those of ledger and skip reports. */
    public enum Reason {
        EMPTY,
        TRUNCATED,
        CORRUPT,
        UNSUPPORTED,
        TOO_MANY_PIXELS,
        BAD_ENCODING,
        BAD_JSON,
        MISSING_FIELD,
        MISSING_FILE,
        DUPLICATE_MEMBER,
        DUPLICATE_KEY,
        NOT_A_REGULAR_FILE,
        IGNORED_NAME,
        CHANGED,
        TOO_LONG,
        TIMED_OUT
    }
}
