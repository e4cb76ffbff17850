package io.headrace.media.video.container;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.media.video.container.TrackReader.TrackBoxes;
import java.util.List;
import java.util.Map;

/**
 * The header of an mp4 or mov: its clock and its tracks. Sample tables are read when they are asked for, from the header in memory; the
 * payload is not touched again. Used by one thread at a time.
 */
public final class Movie {
    private final BoxBytes moov;
    private final long timescale;
    private final long payloadBytes;
    private final List<TrackBoxes> tracks;
    private final Map<Long, SampleTableBuilder> tables;
    private final boolean fragmented;

    Movie(
            BoxBytes moov,
            long timescale,
            long payloadBytes,
            List<TrackBoxes> tracks,
            Map<Long, SampleTableBuilder> tables,
            boolean fragmented) {
        this.moov = moov;
        this.timescale = timescale;
        this.payloadBytes = payloadBytes;
        this.tracks = List.copyOf(tracks);
        this.tables = tables;
        this.fragmented = fragmented;
    }

    /** Ticks a second of the clock of edit durations. */
    public long timescale() {
        return timescale;
    }

    /** All tracks in the order of the file. */
    public List<Track> tracks() {
        return tracks.stream().map(TrackBoxes::track).toList();
    }

    /** Whether samples come in fragments behind the header. */
    public boolean fragmented() {
        return fragmented;
    }

    /**
     * The samples of a track.
     *
     * @throws BadPayload if its tables contradict each other, or the track has more samples than are read
     */
    public SampleTable samples(Track track) throws BadPayload {
        SampleTableBuilder filled = tables.get(track.id());
        if (filled != null) {
            return filled.build();
        }
        Box stbl = tracks.get(track.index()).stbl();
        if (stbl == null) {
            throw new BadPayload(
                    Reason.UNSUPPORTED, "Track %d holds no video or audio".formatted(track.id()));
        }
        SampleTableBuilder table = new SampleTableBuilder();
        new SampleTableReader(moov, stbl, payloadBytes).read(table);
        return table.build();
    }
}
