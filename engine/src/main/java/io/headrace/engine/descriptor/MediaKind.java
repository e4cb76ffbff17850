package io.headrace.engine.descriptor;

/** What kind of media a part is; each has its own probe, decoder and processor. */
public enum MediaKind {
    IMAGE,
    VIDEO,
    AUDIO
}
