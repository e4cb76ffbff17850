package io.headrace.media.video.container;

/** How the packets of a stream are encoded, as far as video cares. */
public enum StreamCodec {
    H264,
    H265,
    VP8,
    VP9,
    AV1,
    MPEG2,
    MPEG4,
    MJPEG,
    /** Anything else: its name in the container tells. */
    OTHER;

    /** The codec of a sample entry's four characters (mp4ra.org); {@code mp4v} is MPEG-4 unless its descriptor says otherwise. */
    static StreamCodec ofSampleEntry(String name) {
        return switch (name) {
            case "avc1", "avc2", "avc3", "avc4", "dva1", "dvav" -> H264;
            case "hvc1", "hev1", "dvh1", "dvhe" -> H265;
            case "vp08" -> VP8;
            case "vp09" -> VP9;
            case "av01" -> AV1;
            case "mp4v", "XVID", "xvid", "DIVX", "divx", "DX50", "3IV2" -> MPEG4;
            case "mp2v", "mpg2", "m2v1" -> MPEG2;
            case "jpeg", "mjpa", "mjpg", "MJPG", "AVDJ" -> MJPEG;
            default -> OTHER;
        };
    }

    /** The codec of an objectTypeIndication (mp4ra.org/registered-types/object-types). */
    static StreamCodec ofObjectType(int indication) {
        return switch (indication) {
            case 0x20 -> MPEG4;
            case 0x21 -> H264;
            case 0x23 -> H265;
            case 0x60, 0x61, 0x62, 0x63, 0x64, 0x65 -> MPEG2;
            case 0x6C -> MJPEG;
            case 0xB1 -> VP9;
            default -> OTHER;
        };
    }
}
