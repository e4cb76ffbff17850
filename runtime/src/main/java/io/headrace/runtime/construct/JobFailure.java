package io.headrace.runtime.construct;

/** An error that ends the job. The message is whole: it names source, shard, member, step and rank as far as they are known. */
public final class JobFailure extends Exception {

    private static final long serialVersionUID = 1;

    public JobFailure(String message) {
        super(message);
    }

    public JobFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
