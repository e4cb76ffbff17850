package io.headrace.media.video.demux;

/** Containers that FFmpeg's demultiplexer reads; no other of its formats is ever opened. */
public enum DemuxFormat {
    /** mkv and webm. */
    MATROSKA("matroska"),
    AVI("avi");

    private final String ffmpegName;

    DemuxFormat(String ffmpegName) {
        this.ffmpegName = ffmpegName;
    }

    String ffmpegName() {
        return ffmpegName;
    }
}
