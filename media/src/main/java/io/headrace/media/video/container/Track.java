package io.headrace.media.video.container;

import io.headrace.engine.descriptor.Orientation;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * What the header says of one track.
 *
 * @param index place among the tracks of the file, from 0
 * @param id its track_ID
 * @param enabled whether a player shows it unasked
 * @param sampleEntry four characters of its first sample description, such as {@code avc1}; empty for kind OTHER
 * @param width stored width in pixels, as the sample description has it; 0 unless video
 * @param height stored height in pixels
 * @param orientation what turns stored frames upright: the display matrix, as far as it is a quarter turn or a mirror
 * @param timescale ticks a second of the track's clock
 * @param durationTicks of the media before edits; 0 if unknown
 * @param edits empty if the track has no edit list
 * @param configuration what a decoder wants before the first packet (the content of avcC, hvcC or av1C, the DecoderSpecificInfo of
 *     mp4v); may be empty
 */
public record Track(
        int index,
        long id,
        Kind kind,
        boolean enabled,
        String sampleEntry,
        StreamCodec codec,
        int width,
        int height,
        Orientation orientation,
        long timescale,
        long durationTicks,
        List<Edit> edits,
        MemorySegment configuration) {
    public Track {
        edits = List.copyOf(edits);
    }

    /** What a track holds, by its handler. */
    public enum Kind {
        VIDEO,
        AUDIO,
        OTHER
    }
}
