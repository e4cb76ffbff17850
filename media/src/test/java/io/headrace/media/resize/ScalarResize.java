package io.headrace.media.resize;

/** The resize as its rules are written down, one value at a time, in 64-bit integers: what the kernels are compared to. */
final class ScalarResize {

    private ScalarResize() {}

    /** Packed RGB rows to packed RGB rows: across, then down. */
    static byte[] resize(
            byte[] rgb, int width, int height, int toWidth, int toHeight, Filter filter) {
        byte[] across = pass(rgb, height, width, toWidth, 3, 3L * width, filter);
        byte[] turned = pass(across, 1, height, toHeight, 3 * toWidth, 0, filter);
        return turned;
    }

    /** Resizes {@code positions} groups of {@code group} bytes in each line. */
    private static byte[] pass(
            byte[] in, int lines, int positions, int to, int group, long lineBytes, Filter filter) {
        Taps taps = Taps.of(filter, positions, to, 0, to);
        byte[] out = new byte[lines * to * group];
        for (int line = 0; line < lines; line++) {
            for (int i = 0; i < to; i++) {
                for (int g = 0; g < group; g++) {
                    long sum = taps.half();
                    for (int k = 0; k < taps.taps(); k++) {
                        int at = (int) (line * lineBytes) + (taps.first()[i] + k) * group + g;
                        sum += (long) (in[at] & 0xff) * taps.weights()[i * taps.taps() + k];
                    }
                    out[(line * to + i) * group + g] =
                            (byte) Math.clamp(sum >> taps.bits(), 0, 255);
                }
            }
        }
        return out;
    }
}
