package io.headrace.media.video.container;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Orientation;
import io.headrace.media.video.container.Track.Kind;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the box {@code trak} of one track. Of a track that is neither video nor audio only number and clock are read. */
final class TrackReader {
    /** No editor writes so many cuts into one track. */
    private static final int MOST_EDITS = 4096;

    private static final int ENABLED = 1;
    private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]).asReadOnly();

    private final BoxBytes bytes;
    private final Matrix movieMatrix;

    TrackReader(BoxBytes bytes, Matrix movieMatrix) {
        this.bytes = bytes;
        this.movieMatrix = movieMatrix;
    }

    /** A track and the box of its samples, if it has any. */
    record TrackBoxes(Track track, @Nullable Box stbl) {}

    TrackBoxes read(Box trak, int index) throws BadPayload {
        List<Box> boxes = bytes.children(trak);
        Box tkhd = BoxBytes.need(boxes, "tkhd", trak);
        Box mdia = BoxBytes.need(boxes, "mdia", trak);
        List<Box> media = bytes.children(mdia);
        Box mdhd = BoxBytes.need(media, "mdhd", mdia);
        boolean wideHeader = bytes.u8(tkhd.from()) == 1;
        boolean wideMedia = bytes.u8(mdhd.from()) == 1;
        long id = bytes.u32(tkhd.from() + (wideHeader ? 20 : 12));
        boolean enabled = (bytes.u8(tkhd.from() + 3) & ENABLED) != 0;
        Orientation orientation =
                Matrix.read(bytes, tkhd.from() + (wideHeader ? 52 : 40))
                        .then(movieMatrix)
                        .orientation();
        long timescale = bytes.u32(mdhd.from() + (wideMedia ? 20 : 12));
        long duration = duration(mdhd.from() + (wideMedia ? 24 : 16), wideMedia);
        Kind kind = kind(media);
        if (kind == Kind.OTHER) {
            Track other =
                    new Track(
                            index,
                            id,
                            kind,
                            enabled,
                            "",
                            StreamCodec.OTHER,
                            0,
                            0,
                            orientation,
                            timescale,
                            duration,
                            List.of(),
                            NOTHING);
            return new TrackBoxes(other, null);
        }
        if (timescale <= 0) {
            throw new BadPayload(Reason.CORRUPT, "Track with a clock of 0 ticks", mdhd.at());
        }
        Box minf = BoxBytes.need(media, "minf", mdia);
        List<Box> information = bytes.children(minf);
        Box stbl = BoxBytes.need(information, "stbl", minf);
        Box stsd = BoxBytes.need(bytes.children(stbl), "stsd", stbl);
        SampleEntry entry = SampleEntry.read(bytes, stsd, kind == Kind.VIDEO);
        refuseOtherFiles(information);
        Track track =
                new Track(
                        index,
                        id,
                        kind,
                        enabled,
                        entry.name(),
                        entry.codec(),
                        entry.width(),
                        entry.height(),
                        orientation,
                        timescale,
                        duration,
                        edits(boxes),
                        entry.configuration());
        return new TrackBoxes(track, stbl);
    }

    private Kind kind(List<Box> media) throws BadPayload {
        Box hdlr = BoxBytes.find(media, "hdlr");
        if (hdlr == null || hdlr.contentBytes() < 12) {
            return Kind.OTHER;
        }
        return switch (Box.name(bytes.i32(hdlr.from() + 8))) {
            case "vide" -> Kind.VIDEO;
            case "soun" -> Kind.AUDIO;
            default -> Kind.OTHER;
        };
    }

    /** A duration; all bits set means unknown. */
    private long duration(long at, boolean wide) throws BadPayload {
        long ticks = wide ? bytes.i64(at) : bytes.u32(at);
        boolean unknown = ticks < 0 || (!wide && ticks == 0xFFFF_FFFFL);
        return unknown ? 0 : ticks;
    }

    /** A reference movie keeps its media in other files, where nobody may follow. */
    private void refuseOtherFiles(List<Box> information) throws BadPayload {
        Box dinf = BoxBytes.find(information, "dinf");
        Box dref = dinf == null ? null : BoxBytes.find(bytes.children(dinf), "dref");
        if (dref == null || dref.contentBytes() < 8) {
            return;
        }
        for (Box reference : bytes.children(dref.from() + 8, dref.end())) {
            if (reference.contentBytes() >= 4 && (bytes.u8(reference.from() + 3) & 1) == 0) {
                throw new BadPayload(
                        Reason.UNSUPPORTED,
                        "Track whose media lies in another file; write a self-contained one",
                        reference.at());
            }
        }
    }

    private List<Edit> edits(List<Box> boxes) throws BadPayload {
        Box edts = BoxBytes.find(boxes, "edts");
        Box elst = edts == null ? null : BoxBytes.find(bytes.children(edts), "elst");
        if (elst == null) {
            return List.of();
        }
        boolean wide = bytes.u8(elst.from()) == 1;
        int entryBytes = wide ? 20 : 12;
        int count = bytes.entries(elst, elst.from() + 4, elst.from() + 8, entryBytes);
        if (count > MOST_EDITS) {
            throw new BadPayload(
                    Reason.UNSUPPORTED,
                    "Edit list of %d entries; at most %d are read".formatted(count, MOST_EDITS),
                    elst.at());
        }
        List<Edit> edits = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            long at = elst.from() + 8 + (long) i * entryBytes;
            long duration = wide ? bytes.i64(at) : bytes.u32(at);
            long media = wide ? bytes.i64(at + 8) : bytes.i32(at + 4);
            if (duration < 0 || media < Edit.EMPTY) {
                throw new BadPayload(
                        Reason.CORRUPT,
                        "Edit of %d ticks from media time %d".formatted(duration, media),
                        at);
            }
            edits.add(new Edit(duration, media));
        }
        return edits;
    }
}
