package io.headrace.media.video.container;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.Orientation;

/**
 * The linear part of a display matrix (ISO/IEC 14496-12, 6.2.2): a stored pixel (x, y) is shown at (a x + c y, b x + d y), up to a shift.
 */
public record Matrix(double a, double b, double c, double d) {

    /** Reads nine fixed-point numbers a, b, u, c, d, v, x, y, w. */
    static Matrix read(BoxBytes bytes, long at) throws BadPayload {
        return new Matrix(bytes.i32(at), bytes.i32(at + 4), bytes.i32(at + 12), bytes.i32(at + 16));
    }

    /** This one first, then the other. */
    public Matrix then(Matrix next) {
        return new Matrix(
                a * next.a + b * next.c,
                a * next.b + b * next.d,
                c * next.a + d * next.c,
                c * next.b + d * next.d);
    }

    /** The quarter turn or mirror it stands for. Scaling is left out; any other turn, and a matrix of zeros, counts as upright. */
    public Orientation orientation() {
        if (b == 0 && c == 0 && a != 0 && d != 0) {
            return a > 0
                    ? (d > 0 ? Orientation.UPRIGHT : Orientation.FLIPPED)
                    : (d > 0 ? Orientation.MIRRORED : Orientation.ROTATED_180);
        }
        if (a == 0 && d == 0 && b != 0 && c != 0) {
            return b > 0
                    ? (c > 0 ? Orientation.TRANSPOSED : Orientation.ROTATED_90)
                    : (c > 0 ? Orientation.ROTATED_270 : Orientation.TRANSVERSED);
        }
        return Orientation.UPRIGHT;
    }
}
