package io.headrace.engine.recipe;

/** What becomes of a sample that cannot be read or decoded. */
public record ErrorSpec(Policy policy, int stopAfterConsecutive) {
    public enum Policy {
        /** Its place stays, masked; a line goes to the ledger. */
        MASK,
        /** The job ends with the error. */
        STOP
    }
}
