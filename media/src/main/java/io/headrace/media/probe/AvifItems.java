package io.headrace.media.probe;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.media.probe.AvifBoxes.Box;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the AV1 data of an AVIF lie, for its decoder.
 *
 * @param colour extents of the primary item
 * @param alpha extents of the item that is its alpha; empty if it has none
 * @param matrix matrix coefficients that the file declares; -1: those of the AV1 data count
 * @param fullRange whether the file declares levels of 0 to 255; without meaning where {@code matrix} is -1
 */
public record AvifItems(List<Extent> colour, List<Extent> alpha, int matrix, boolean fullRange) {
    private static final int MOST_EXTENTS = 4096;

    public AvifItems {
        colour = List.copyOf(colour);
        alpha = List.copyOf(alpha);
    }

    /** A range of the file. */
    public record Extent(long offsetBytes, long lengthBytes) {}

    /** Finds the items; every extent lies within the file. */
    public static AvifItems find(ByteView avif) throws BadPayload, IOException {
        HeaderBytes bytes = new HeaderBytes();
        bytes.open(avif);
        return new Finder(bytes).find();
    }

    private static final class Finder {
        private final HeaderBytes bytes;
        private final AvifBoxes boxes;
        private final Box meta;
        private int matrix = -1;
        private boolean fullRange;

        Finder(HeaderBytes bytes) throws BadPayload, IOException {
            this.bytes = bytes;
            boxes = new AvifBoxes(bytes);
            meta = boxes.meta();
        }

        AvifItems find() throws BadPayload, IOException {
            long primary = boxes.primaryItem(meta);
            checkType(primary);
            boxes.properties(meta, primary, this::colourProperty);
            Box references = boxes.find("iref", meta);
            long alpha = references == null ? -1 : alphaOf(primary, references);
            return new AvifItems(
                    extents(primary), alpha < 0 ? List.of() : extents(alpha), matrix, fullRange);
        }

        private void colourProperty(Box property) throws BadPayload, IOException {
            if (bytes.matches(property.type(), "colr") && bytes.matches(property.from(), "nclx")) {
                matrix = bytes.u16(property.from() + 8, true);
                fullRange = (bytes.u8(property.from() + 10) & 0x80) != 0;
            }
        }

        private void checkType(long item) throws BadPayload, IOException {
            Box iinf = boxes.need("iinf", meta);
            boolean small = bytes.u8(iinf.from()) == 0;
            Box entries = new Box(iinf.type(), iinf.from() + (small ? 6 : 8), iinf.end());
            long at = entries.from();
            while (at < entries.end()) {
                Box infe = boxes.at(at, entries.end());
                boolean wide = bytes.u8(infe.from()) > 2;
                long id =
                        wide ? bytes.u32(infe.from() + 4, true) : bytes.u16(infe.from() + 4, true);
                long type = infe.from() + (wide ? 10 : 8);
                if (id == item && !bytes.matches(type, "av01")) {
                    throw new BadPayload(
                            Reason.UNSUPPORTED, "AVIF whose picture is made of others", type);
                }
                at = infe.end();
            }
        }

        /** The item with an {@code auxl} reference to the picture and the type of an alpha plane; -1 if none. */
        private long alphaOf(long item, Box iref) throws BadPayload, IOException {
            boolean small = bytes.u8(iref.from()) == 0;
            int idBytes = small ? 2 : 4;
            long at = iref.from() + 4;
            while (at < iref.end()) {
                Box reference = boxes.at(at, iref.end());
                long to = reference.from() + idBytes + 2;
                if (bytes.matches(reference.type(), "auxl") && id(to, small) == item) {
                    long candidate = id(reference.from(), small);
                    boolean[] isAlpha = new boolean[1];
                    boxes.properties(
                            meta,
                            candidate,
                            property ->
                                    isAlpha[0] |=
                                            bytes.matches(property.type(), "auxC")
                                                    && bytes.find(
                                                                    "alpha",
                                                                    property.from(),
                                                                    property.end())
                                                            >= 0);
                    if (isAlpha[0]) {
                        return candidate;
                    }
                }
                at = reference.end();
            }
            return -1;
        }

        private long id(long at, boolean small) throws BadPayload, IOException {
            return small ? bytes.u16(at, true) : bytes.u32(at, true);
        }

        private List<Extent> extents(long wanted) throws BadPayload, IOException {
            Box iloc = boxes.need("iloc", meta);
            int version = bytes.u8(iloc.from());
            int sizes = bytes.u16(iloc.from() + 4, true);
            int offsetBytes = sizes >> 12;
            int lengthBytes = (sizes >> 8) & 15;
            int baseBytes = (sizes >> 4) & 15;
            int indexBytes = version == 0 ? 0 : sizes & 15;
            boolean small = version < 2;
            long items = Math.min(id(iloc.from() + 6, small), AvifBoxes.MOST_BOXES);
            long at = iloc.from() + (small ? 8 : 10);
            for (long i = 0; i < items && at < iloc.end(); i++) {
                long id = id(at, small);
                at += small ? 2 : 4;
                int method = version == 0 ? 0 : bytes.u16(at, true) & 15;
                at += version == 0 ? 2 : 4;
                long base = number(at, baseBytes);
                at += baseBytes;
                int count = bytes.u16(at, true);
                at += 2;
                int extentBytes = indexBytes + offsetBytes + lengthBytes;
                if (id == wanted) {
                    return list(
                            at, count, base + start(method), indexBytes, offsetBytes, lengthBytes);
                }
                at += (long) count * extentBytes;
            }
            throw new BadPayload(
                    Reason.CORRUPT, "AVIF without a place of item " + wanted, iloc.from());
        }

        /** Where offsets count from: the file, or the box with data inside the header. */
        private long start(int method) throws BadPayload, IOException {
            return switch (method) {
                case 0 -> 0;
                case 1 -> boxes.need("idat", meta).from();
                default ->
                        throw new BadPayload(
                                Reason.UNSUPPORTED, "AVIF with construction method " + method);
            };
        }

        private List<Extent> list(
                long from, int count, long base, int indexBytes, int offsetBytes, int lengthBytes)
                throws BadPayload, IOException {
            List<Extent> extents = new ArrayList<>();
            long at = from;
            for (int i = 0; i < Math.min(count, MOST_EXTENTS); i++) {
                long offset = base + number(at + indexBytes, offsetBytes);
                long length = number(at + indexBytes + offsetBytes, lengthBytes);
                length = lengthBytes == 0 ? bytes.lengthBytes() - offset : length;
                if (!bytes.has(offset, length) || length == 0) {
                    throw new BadPayload(
                            Reason.TRUNCATED,
                            "AVIF data of %d bytes at %d in %d bytes"
                                    .formatted(length, offset, bytes.lengthBytes()),
                            bytes.lengthBytes());
                }
                extents.add(new Extent(offset, length));
                at += indexBytes + offsetBytes + lengthBytes;
            }
            return extents;
        }

        private long number(long at, int size) throws BadPayload, IOException {
            return switch (size) {
                case 0 -> 0;
                case 4 -> bytes.u32(at, true);
                case 8 -> bytes.u64(at, true);
                default ->
                        throw new BadPayload(
                                Reason.CORRUPT,
                                "AVIF with numbers of %d bytes".formatted(size),
                                at);
            };
        }
    }
}
