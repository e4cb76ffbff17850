package io.headrace.media.video.demux;

/** Containers that FFmpeg's demultiplexer reads; no other of its formats is ever opened. */
public enum DemuxFormat {
    /** mkv and webm. */
    MATROSKA("matroska"),
    AVI("avi"),
    /** mp4, mov and m4a: for their sound alone. */
    MP4("mov"),
    WAV("wav"),
    FLAC("flac"),
    MP3("mp3"),
    OGG("ogg"),
    /** AAC in ADTS frames. */
    AAC("aac");

    private final String ffmpegName;

    DemuxFormat(String ffmpegName) {
        this.ffmpegName = ffmpegName;
    }

    String ffmpegName() {
        return ffmpegName;
    }
}
