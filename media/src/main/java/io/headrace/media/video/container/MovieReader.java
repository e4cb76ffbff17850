package io.headrace.media.video.container;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.media.probe.ByteView;
import io.headrace.media.video.container.Track.Kind;
import io.headrace.media.video.container.TrackReader.TrackBoxes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds and reads the header of an mp4 or mov, wherever in the file it lies. Reads 8 or 16 bytes of each top-level box and the whole of
 * {@code moov} (and of each {@code moof} of a fragmented file); media data is stepped over, never read.
 */
public final class MovieReader {
    /** The header of some 12 hours of video with sound. */
    static final long MOST_HEADER_BYTES = 64 << 20;

    /** A fragmented file has two or three boxes a fragment; the bound of hostile ones. */
    static final int MOST_TOP_BOXES = 1 << 16;

    private static final int MOST_TRACKS = 256;
    private static final int MOOV = Box.code("moov");
    private static final int MOOF = Box.code("moof");

    private final ByteView view;
    private final byte[] head = new byte[16];
    private long headerBytes;
    private @Nullable Header header;
    private @Nullable FragmentReader fragments;
    private boolean fragmented;

    /** What {@code moov} says, while fragments may follow. */
    private record Header(
            BoxBytes moov,
            long timescale,
            List<TrackBoxes> tracks,
            Map<Long, SampleTableBuilder> tables) {}

    private MovieReader(ByteView view) {
        this.view = view;
    }

    /**
     * The header of the payload.
     *
     * @throws BadPayload if there is none, if it is broken, or if a limit is passed; reason and offset tell
     */
    public static Movie read(ByteView payload) throws BadPayload, IOException {
        if (payload.lengthBytes() == 0) {
            throw new BadPayload(Reason.EMPTY, "Payload of 0 bytes", 0);
        }
        return new MovieReader(payload).read();
    }

    private Movie read() throws BadPayload, IOException {
        long length = view.lengthBytes();
        long at = 0;
        int boxes = 0;
        Box cut = null;
        while (cut == null && length - at >= 8 && (header == null || fragments != null)) {
            if (++boxes > MOST_TOP_BOXES) {
                throw new BadPayload(
                        Reason.UNSUPPORTED,
                        "More than %d boxes at the top level".formatted(MOST_TOP_BOXES),
                        at);
            }
            Box box = top(at);
            if (box.end() > length) {
                cut = box;
            } else {
                take(box);
            }
            at = box.end();
        }
        Header found = header;
        if (found == null) {
            throw missing(cut, length);
        }
        return new Movie(
                found.moov, found.timescale, length, found.tracks, found.tables, fragmented);
    }

    private void take(Box box) throws BadPayload, IOException {
        if (box.type() == MOOV && header == null) {
            open(content(box));
        } else if (box.type() == MOOF && fragments != null) {
            fragments.add(content(box));
            fragmented = true;
        }
    }

    private BoxBytes content(Box box) throws BadPayload, IOException {
        BoxBytes bytes = BoxBytes.read(view, box, MOST_HEADER_BYTES - headerBytes);
        headerBytes += box.end() - box.at();
        return bytes;
    }

    /** The top-level box that begins here; its end may lie beyond the payload. */
    private Box top(long at) throws BadPayload, IOException {
        ByteBuffer bytes = head(at, 8);
        long size = bytes.getInt(0) & 0xFFFF_FFFFL;
        int type = bytes.getInt(4);
        long from = at + 8;
        if (size == 1) {
            size = head(at, 16).getLong(8);
            from = at + 16;
        } else if (size == 0) {
            size = view.lengthBytes() - at;
        }
        if (size < from - at || size > Long.MAX_VALUE - at) {
            throw new BadPayload(
                    Reason.CORRUPT, "Box %s of %d bytes".formatted(Box.name(type), size), at);
        }
        return new Box(type, at, from, at + size);
    }

    private ByteBuffer head(long at, int length) throws BadPayload, IOException {
        int count = view.read(at, head, length);
        if (count < length) {
            throw new BadPayload(
                    Reason.TRUNCATED,
                    "Box header of %d bytes where %d are".formatted(length, count),
                    at);
        }
        return ByteBuffer.wrap(head);
    }

    private static BadPayload missing(@Nullable Box cut, long length) {
        if (cut == null) {
            return new BadPayload(
                    Reason.CORRUPT, "No box moov in %d bytes of mp4".formatted(length), length);
        }
        return new BadPayload(
                Reason.TRUNCATED,
                "Box %s of %d bytes goes on beyond the end at %d, and no box moov stands before it"
                        .formatted(cut.name(), cut.end() - cut.at(), length),
                cut.at());
    }

    private void open(BoxBytes moov) throws BadPayload {
        List<Box> boxes = moov.children(moov.root());
        if (BoxBytes.find(boxes, "cmov") != null) {
            throw new BadPayload(
                    Reason.UNSUPPORTED, "Compressed movie header (cmov)", moov.root().at());
        }
        Box mvhd = BoxBytes.need(boxes, "mvhd", moov.root());
        boolean wide = moov.u8(mvhd.from()) == 1;
        long timescale = moov.u32(mvhd.from() + (wide ? 20 : 12));
        Matrix matrix = Matrix.read(moov, mvhd.from() + (wide ? 48 : 36));
        List<TrackBoxes> tracks = tracks(moov, boxes, matrix);
        Map<Long, SampleTableBuilder> tables = new HashMap<>();
        Box mvex = BoxBytes.find(boxes, "mvex");
        if (mvex != null) {
            for (TrackBoxes one : tracks) {
                Box stbl = one.stbl();
                if (stbl != null && one.track().kind() == Kind.VIDEO) {
                    SampleTableBuilder table = new SampleTableBuilder();
                    new SampleTableReader(moov, stbl, view.lengthBytes()).read(table);
                    tables.put(one.track().id(), table);
                }
            }
            fragments = new FragmentReader(moov, mvex, tables);
        }
        header = new Header(moov, timescale, tracks, tables);
    }

    private static List<TrackBoxes> tracks(BoxBytes moov, List<Box> boxes, Matrix matrix)
            throws BadPayload {
        TrackReader reader = new TrackReader(moov, matrix);
        List<TrackBoxes> tracks = new ArrayList<>();
        int trak = Box.code("trak");
        for (Box box : boxes) {
            if (box.type() == trak) {
                if (tracks.size() == MOST_TRACKS) {
                    throw new BadPayload(
                            Reason.UNSUPPORTED,
                            "More than %d tracks".formatted(MOST_TRACKS),
                            box.at());
                }
                tracks.add(reader.read(box, tracks.size()));
            }
        }
        return tracks;
    }
}
