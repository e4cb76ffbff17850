package io.headrace.engine.index;

/** The numbers of the kinds of location in a file; they never change. */
final class LocationKind {
    static final int RANGE = 0;
    static final int CELL = 1;
    static final int FILE = 2;

    private LocationKind() {}
}
