package io.headrace.runtime.deliver.slot;

/** Slots cannot be had: the job stops with this message, which names the place, what is needed and what there is. */
public final class SlotException extends RuntimeException {
    private static final long serialVersionUID = 1;

    SlotException(String message) {
        super(message);
    }

    SlotException(String message, Throwable cause) {
        super(message, cause);
    }
}
