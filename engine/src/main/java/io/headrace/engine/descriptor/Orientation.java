package io.headrace.engine.descriptor;

/** EXIF orientation of a stored picture: the values 1 to 8 of tag 0x0112. */
public enum Orientation {
    UPRIGHT(1),
    MIRRORED(2),
    ROTATED_180(3),
    FLIPPED(4),
    TRANSPOSED(5),
    ROTATED_90(6),
    TRANSVERSED(7),
    ROTATED_270(8);

    private final int exif;

    Orientation(int exif) {
        this.exif = exif;
    }

    /** The EXIF value, 1 to 8. */
    public int exif() {
        return exif;
    }

    /** Whether width and height change places when the picture is turned upright. */
    public boolean swapsSides() {
        return exif >= 5;
    }

    /** The orientation of an EXIF value; anything outside 1 to 8 counts as upright, as Pillow has it. */
    public static Orientation ofExif(int value) {
        return value >= 1 && value <= 8 ? values()[value - 1] : UPRIGHT;
    }
}
