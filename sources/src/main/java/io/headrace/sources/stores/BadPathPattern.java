package io.headrace.sources.stores;

import java.io.IOException;

/** A path pattern that cannot be followed; the job stops. Names the pattern and what is wrong with it. */
public final class BadPathPattern extends IOException {

    private static final long serialVersionUID = 1;

    private final String pattern;

    BadPathPattern(String pattern, String detail) {
        super("Path '%s': %s".formatted(pattern, detail));
        this.pattern = pattern;
    }

    /** The whole pattern as it was written. */
    public String pattern() {
        return pattern;
    }
}
