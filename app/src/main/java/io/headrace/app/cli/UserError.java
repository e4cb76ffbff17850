package io.headrace.app.cli;

/** A failure that the user can understand from its message alone: printed in one line, without a stack trace. */
public final class UserError extends RuntimeException {
    private static final long serialVersionUID = 1;

    public UserError(String message) {
        super(message);
    }

    public UserError(String message, Throwable cause) {
        super(message, cause);
    }
}
