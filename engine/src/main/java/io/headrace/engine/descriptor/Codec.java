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
    H264,
    H265,
    VP8,
    VP9,
    AV1,
    MPEG2,
    MPEG4,
    MJPEG,
    /** A video of any other codec; its container names it. */
    OTHER_VIDEO,
    WAV,
    FLAC,
    MP3,
    OPUS,
    VORBIS,
    AAC,
    /** A sound of any other codec; its container names it. */
    OTHER_AUDIO,
    /** Plain UTF-8 text: a caption. */
    TEXT,
    /** A JSON document or a JSON line that holds a caption or a conversation. */
    JSON;

    /** Whether the payload is a text. */
    public boolean isText() {
        return this == TEXT || this == JSON;
    }
}
