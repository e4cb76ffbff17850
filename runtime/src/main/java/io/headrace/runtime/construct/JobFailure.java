package io.headrace.runtime.construct;

/** An error that ends the job. The message is whole: it names source, shard, member, step and rank as far as they are known. */
public final class JobFailure extends Exception {

    private static final long serialVersionUID = 1;

    private final long firstStep;

    /** Ends the job at once, for every step. */
    public JobFailure(String message) {
        super(message);
        this.firstStep = Long.MIN_VALUE;
    }

    /** Ends the job at once, for every step. */
    public JobFailure(String message, Throwable cause) {
        this(message, cause, Long.MIN_VALUE);
    }

    /**
     * Ends the job at a step: those before it are still delivered, so which error a rank sees does not depend on how far ahead the
     * engine had decoded.
     */
    public JobFailure(String message, Throwable cause, long firstStep) {
        super(message, cause);
        this.firstStep = firstStep;
    }

    /** First step that is not delivered. */
    public long firstStep() {
        return firstStep;
    }
}
