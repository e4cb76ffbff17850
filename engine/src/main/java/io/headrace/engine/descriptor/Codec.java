package io.headrace.engine.descriptor;

/** How the payload of a part is encoded, as seen in its first bytes and never from its name. */
public enum Codec {
    JPEG,
    PNG,
    WEBP,
    GIF,
    BMP,
    TIFF,
    AVIF,
    /** Plain UTF-8 text: a caption. */
    TEXT,
    /** A JSON document or a JSON line that holds a caption or a conversation. */
    JSON
}
