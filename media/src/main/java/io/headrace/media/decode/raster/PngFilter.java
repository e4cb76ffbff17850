package io.headrace.media.decode.raster;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;

/** Undoes the five filters of PNG (W3C PNG, section 9) on one row in place. */
final class PngFilter {
    private PngFilter() {}

    /**
     * @param row the filtered bytes from index {@code step} on; those before are 0
     * @param above the row above in the same layout, all 0 for the first
     * @param step bytes of a whole pixel, at least 1
     * @param end index behind the last byte
     */
    static void undo(int filter, byte[] row, byte[] above, int step, int end) throws BadPayload {
        switch (filter) {
            case 0 -> {}
            case 1 -> sub(row, step, end);
            case 2 -> up(row, above, step, end);
            case 3 -> average(row, above, step, end);
            case 4 -> paeth(row, above, step, end);
            default -> throw new BadPayload(Reason.CORRUPT, "PNG row with filter type " + filter);
        }
    }

    private static void sub(byte[] row, int step, int end) {
        for (int i = step; i < end; i++) {
            row[i] += row[i - step];
        }
    }

    private static void up(byte[] row, byte[] above, int step, int end) {
        for (int i = step; i < end; i++) {
            row[i] += above[i];
        }
    }

    private static void average(byte[] row, byte[] above, int step, int end) {
        for (int i = step; i < end; i++) {
            row[i] += (byte) (((row[i - step] & 0xFF) + (above[i] & 0xFF)) >> 1);
        }
    }

    private static void paeth(byte[] row, byte[] above, int step, int end) {
        for (int i = step; i < end; i++) {
            int left = row[i - step] & 0xFF;
            int up = above[i] & 0xFF;
            int corner = above[i - step] & 0xFF;
            int toLeft = Math.abs(up - corner);
            int toUp = Math.abs(left - corner);
            int toCorner = Math.abs(left + up - 2 * corner);
            int nearest =
                    toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
            row[i] += (byte) nearest;
        }
    }
}
