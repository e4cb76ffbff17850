package io.headrace.media.video.container;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The first sample description of a video track (ISO/IEC 14496-12, 12.1.3): codec, stored size and what its decoder wants to be told.
 */
record SampleEntry(
        String name, StreamCodec codec, int width, int height, MemorySegment configuration) {
    private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]).asReadOnly();

    /** Fields before the first child of a VisualSampleEntry. */
    private static final int VISUAL_BYTES = 78;

    private static final int ES_DESCRIPTOR = 0x03;
    private static final int DECODER_CONFIG = 0x04;
    private static final int DECODER_SPECIFIC = 0x05;

    static SampleEntry read(BoxBytes bytes, Box stsd, boolean video) throws BadPayload {
        List<Box> entries = bytes.children(stsd.from() + 8, stsd.end());
        if (entries.isEmpty()) {
            throw new BadPayload(Reason.CORRUPT, "Track without a sample description", stsd.at());
        }
        Box entry = entries.getFirst();
        String name = entry.name();
        if (!video) {
            return new SampleEntry(name, StreamCodec.OTHER, 0, 0, NOTHING);
        }
        int width = bytes.u16(entry.from() + 24);
        int height = bytes.u16(entry.from() + 26);
        StreamCodec codec = StreamCodec.ofSampleEntry(name);
        long children = Math.min(entry.from() + VISUAL_BYTES, entry.end());
        for (Box box : bytes.children(children, entry.end())) {
            switch (box.name()) {
                case "avcC", "hvcC", "av1C" -> {
                    MemorySegment content = bytes.copy(box.from(), box.end());
                    return new SampleEntry(name, codec, width, height, content);
                }
                case "esds" -> {
                    return described(
                            bytes, box, new SampleEntry(name, codec, width, height, NOTHING));
                }
                default -> {}
            }
        }
        return new SampleEntry(name, codec, width, height, NOTHING);
    }

    /** Reads the descriptors of an esds box (ISO/IEC 14496-1, 7.2.6): the codec and its DecoderSpecificInfo. */
    private static SampleEntry described(BoxBytes bytes, Box esds, SampleEntry entry)
            throws BadPayload {
        StreamCodec codec = entry.codec;
        long at = esds.from() + 4;
        while (at + 2 <= esds.end()) {
            int tag = bytes.u8(at++);
            long length = 0;
            for (int i = 0; i < 4 && at < esds.end(); i++) {
                int digit = bytes.u8(at++);
                length = (length << 7) | (digit & 0x7F);
                if (digit < 0x80) {
                    break;
                }
            }
            switch (tag) {
                case ES_DESCRIPTOR -> at += esBytes(bytes, at);
                case DECODER_CONFIG -> {
                    codec = StreamCodec.ofObjectType(bytes.u8(at));
                    at += 13;
                }
                case DECODER_SPECIFIC -> {
                    MemorySegment content = bytes.copy(at, Math.min(at + length, esds.end()));
                    return new SampleEntry(entry.name, codec, entry.width, entry.height, content);
                }
                default -> at += length;
            }
        }
        return new SampleEntry(entry.name, codec, entry.width, entry.height, NOTHING);
    }

    /** Fields of an ES descriptor before its children: id, flags, and what the flags announce. */
    private static long esBytes(BoxBytes bytes, long at) throws BadPayload {
        int flags = bytes.u8(at + 2);
        long fields = 3;
        if ((flags & 0x80) != 0) {
            fields += 2;
        }
        if ((flags & 0x40) != 0) {
            fields += 1 + bytes.u8(at + fields);
        }
        return (flags & 0x20) != 0 ? fields + 2 : fields;
    }
}
