package io.headrace.media.video;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.media.probe.ByteView;
import io.headrace.media.video.VideoFile.Container;
import io.headrace.media.video.container.Movie;
import io.headrace.media.video.container.MovieReader;
import io.headrace.media.video.container.SampleTable;
import io.headrace.media.video.container.Track;
import io.headrace.media.video.container.Track.Kind;
import io.headrace.media.video.demux.DemuxFormat;
import io.headrace.media.video.demux.DemuxedVideo;
import io.headrace.media.video.demux.Demuxer;
import io.headrace.media.video.frames.FrameIndexReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads size, codec, orientation and frame times of a video without a decoder. Of an mp4 or mov only the header is read; mkv, webm and
 * avi, which have no table of frames, are read once from end to end.
 */
public final class VideoProbe {
    private static final int SNIFFED_BYTES = 12;

    /** Boxes with which an mp4 or mov may begin. */
    private static final Set<String> FIRST_BOXES =
            Set.of("ftyp", "moov", "mdat", "wide", "free", "skip", "pnot", "styp");

    /** Above so many frames FFmpeg does not prefer a stream for having more. */
    private static final int MANY_FRAMES = 5;

    private VideoProbe() {}

    /**
     * The main video stream of the payload.
     *
     * @throws BadPayload if it is no video of a known container, holds no video, or its header is broken; the reason tells
     */
    public static VideoFile read(ByteView payload) throws BadPayload, IOException {
        Container container = container(payload);
        VideoFile video =
                switch (container) {
                    case MP4 -> movie(payload);
                    case MATROSKA -> demuxed(payload, container, DemuxFormat.MATROSKA);
                    case AVI -> demuxed(payload, container, DemuxFormat.AVI);
                };
        if (video.width() <= 0 || video.height() <= 0) {
            throw new BadPayload(
                    Reason.CORRUPT, "Video of %d x %d".formatted(video.width(), video.height()), 0);
        }
        return video;
    }

    /** The container, by the first bytes and never by a name. */
    public static Container container(ByteView payload) throws BadPayload, IOException {
        byte[] head = new byte[SNIFFED_BYTES];
        int length = payload.read(0, head, SNIFFED_BYTES);
        if (length <= 0) {
            throw new BadPayload(Reason.EMPTY, "Payload of 0 bytes", 0);
        }
        String text = new String(head, StandardCharsets.ISO_8859_1);
        if (FIRST_BOXES.contains(text.substring(4, 8))) {
            return Container.MP4;
        }
        if (text.startsWith("\u001aE\u00df\u00a3")) {
            return Container.MATROSKA;
        }
        if (text.startsWith("RIFF") && text.startsWith("AVI ", 8)) {
            return Container.AVI;
        }
        throw new BadPayload(
                Reason.UNSUPPORTED,
                "Not a video of a known container (mp4, mov, mkv, webm, avi): begins with "
                        + HexFormat.ofDelimiter(" ").formatHex(head, 0, length),
                0);
    }

    private static VideoFile movie(ByteView payload) throws BadPayload, IOException {
        Movie movie = MovieReader.read(payload);
        Track track = mainTrack(movie);
        return new VideoFile(
                Container.MP4,
                track.index(),
                track.codec(),
                track.sampleEntry(),
                track.width(),
                track.height(),
                track.orientation(),
                track.configuration(),
                FrameIndexReader.read(movie, track, payload.lengthBytes()));
    }

    /**
     * The track that FFmpeg's av_find_best_stream takes, and with it every loader: enabled before disabled, then of more frames (up to
     * five), then of more bits a second, then of more frames, then the first.
     */
    private static Track mainTrack(Movie movie) throws BadPayload {
        Track best = null;
        Rank highest = null;
        for (Track track : movie.tracks()) {
            if (track.kind() == Kind.VIDEO) {
                Rank rank = Rank.of(track, movie.samples(track));
                if (highest == null || rank.isAbove(highest)) {
                    best = track;
                    highest = rank;
                }
            }
        }
        return found(best, movie.tracks().size());
    }

    private static Track found(@Nullable Track track, int tracks) throws BadPayload {
        if (track == null) {
            throw new BadPayload(
                    Reason.UNSUPPORTED, "No video among %d tracks of mp4".formatted(tracks), 0);
        }
        return track;
    }

    /** What one track is compared by. */
    private record Rank(boolean enabled, int frames, long bitRate, int samples) {

        static Rank of(Track track, SampleTable table) {
            double seconds = (double) track.durationTicks() / track.timescale();
            long bits = seconds > 0 ? (long) (8 * table.totalBytes() / seconds) : 0;
            return new Rank(
                    track.enabled(), Math.min(table.size(), MANY_FRAMES), bits, table.size());
        }

        boolean isAbove(Rank other) {
            if (enabled != other.enabled) {
                return enabled;
            }
            if (frames != other.frames) {
                return frames > other.frames;
            }
            return bitRate != other.bitRate ? bitRate > other.bitRate : samples > other.samples;
        }
    }

    private static VideoFile demuxed(ByteView payload, Container container, DemuxFormat format)
            throws BadPayload, IOException {
        DemuxedVideo video = Demuxer.read(payload, format);
        return new VideoFile(
                container,
                video.stream(),
                video.codec(),
                video.codecName(),
                video.width(),
                video.height(),
                video.orientation(),
                video.configuration(),
                video.index());
    }
}
