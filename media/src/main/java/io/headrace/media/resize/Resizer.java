package io.headrace.media.resize;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.headrace.media.decode.Picture;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Resizes a picture as torchvision resizes uint8 on the CPU: across, then down, rounded to uint8 after each pass. Rows come out in bands,
 * as planes of levels, and only what the window needs is computed.
 *
 * <p>Input rows are taken in strips of as many rows as a vector has lanes. A strip is turned over so that lanes are rows, summed across,
 * and turned back into a ring of rows; the pass down reads its rows from there. Ring, strip and band are meant to stay in the L2 cache.
 *
 * <p>Not thread-safe; owns its scratch memory and the weights of the passes used last.
 */
public final class Resizer {
    private static final int LANES = Lanes.COUNT;

    /** Outputs of the pass across that are made at a time: a multiple of the vector's lanes times four. */
    private static final int BLOCK = 64;

    private final TapCache passes;
    private final Transpose transpose = new Transpose();
    private final Scratch words = new Scratch();
    private final Scratch columns = new Scratch();
    private final Scratch strip = new Scratch();
    private final Scratch ring = new Scratch();
    private final Scratch copied = new Scratch();
    private final Scratch edge = new Scratch();

    private final long[] stripRows = new long[LANES];
    private final long[] edgeRows = new long[LANES];
    private final long[] wordRows = new long[LANES];
    private final long[] blockRows = new long[LANES];
    private final long[] midRows = new long[LANES];
    private long[] tapRows = new long[16];

    private Taps across;
    private Taps down;
    private long input;
    private long rowBytes;
    private int inputHeight;
    private int columnCount;
    private int rowStride;
    private int ringRows;
    private int nextRow;

    /** Sum of what was read ahead, kept so that the reading is not optimised away. */
    @SuppressWarnings("UnusedVariable")
    private long touched;

    public Resizer(Filter filter) {
        passes = new TapCache(filter);
        across = passes.pass(1, 1, 0, 1);
        down = across;
    }

    /** Starts a picture, of which {@link #rows} then asks bands of at most {@code bandRows} rows from top to bottom. */
    public void begin(Picture picture, Window window, int bandRows) {
        across =
                passes.pass(
                        picture.width(),
                        window.width(),
                        window.left(),
                        window.left() + window.columns());
        down =
                passes.pass(
                        picture.height(),
                        window.height(),
                        window.top(),
                        window.top() + window.rows());
        input = address(picture.rgb());
        rowBytes = 3L * picture.width();
        inputHeight = picture.height();
        columnCount = window.columns();
        rowStride = stride(columnCount);
        ringRows = mostRows(bandRows) + 2 * LANES;
        ringRows = (ringRows + LANES - 1) / LANES * LANES;
        ring.address(3L * ringRows * rowStride);
        nextRow = down.first()[0];
        if (tapRows.length < down.taps()) {
            tapRows = Arrays.copyOf(tapRows, down.taps());
        }
    }

    /** Bytes from one row of a band to the next. */
    public static int stride(int columns) {
        return Scratch.lines(columns + Long.BYTES);
    }

    /**
     * Makes {@code count} rows from window row {@code from} on.
     *
     * @param band address of {@code 3 * count * stride(columns)} bytes: planes R, G, B of rows of levels
     */
    public void rows(int from, int count, long band) {
        prepare(down.end(from + count - 1));
        long plane = (long) ringRows * rowStride;
        long bandPlane = (long) count * rowStride;
        long start = ring.address(3 * plane);
        for (int y = 0; y < count; y++) {
            int first = down.first()[from + y];
            for (int k = 0; k < down.taps(); k++) {
                tapRows[k] = start + (long) ((first + k) % ringRows) * rowStride;
            }
            for (int c = 0; c < 3; c++) {
                long out = band + c * bandPlane + (long) y * rowStride;
                DownKernel.sum(down, from + y, tapRows, c * plane, columnCount, out);
            }
        }
    }

    /** Rows of input that a band may need at once. */
    private int mostRows(int bandRows) {
        int most = 0;
        for (int y = 0; y < down.outputs(); y += bandRows) {
            int last = Math.min(y + bandRows, down.outputs()) - 1;
            most = Math.max(most, down.end(last) - down.first()[y]);
        }
        return most;
    }

    /** Runs the pass across until all rows before {@code end} are in the ring. */
    private void prepare(int end) {
        while (nextRow < end) {
            strip(nextRow);
            nextRow += LANES;
        }
    }

    private void strip(int row) {
        for (int lane = 0; lane < LANES; lane++) {
            stripRows[lane] = input + Math.min(row + lane, inputHeight - 1) * rowBytes;
        }
        touched += read(input + row * rowBytes, Math.min(LANES, inputHeight - row) * rowBytes);
        long plane = (long) Scratch.lines(columnCount + BLOCK) / Taps.GROUP * Lanes.BYTES;
        long out = strip.address(3 * plane);
        for (int x = 0; x < columnCount; x += BLOCK) {
            int to = Math.min(x + BLOCK, across.first().length);
            long first = 3L * across.first()[x];
            long last = 3L * across.end(to - 1);
            long spread = gather(first, last) - first * Lanes.BYTES;
            AcrossKernel.sum(
                    across, x, to, spread, out + (long) x / Taps.GROUP * Lanes.BYTES, plane);
        }
        for (int c = 0; c < 3; c++) {
            turnBack(out + c * plane, row, c);
        }
    }

    /**
     * Reads a word of every cache line. The strip's rows lie behind each other, so this one stream runs at the speed of the memory, where
     * as many streams as rows, each in pages of its own, would wait for every line.
     */
    private static long read(long start, long bytes) {
        long sum = 0;
        for (long at = 0; at + Long.BYTES <= bytes; at += Scratch.LINE) {
            sum += Scratch.MEMORY.get(JAVA_LONG_UNALIGNED, start + at);
        }
        return sum;
    }

    /** Turns the byte columns from {@code first} to before {@code last} over; returns where the vector of {@code first} is. */
    private long gather(long first, long last) {
        int squares = (int) ((last - first + Lanes.BYTES - 1) / Lanes.BYTES);
        long squareBytes = (long) LANES * Lanes.BYTES;
        long turned = words.address(squares * squareBytes);
        for (int i = 0; i < LANES; i++) {
            wordRows[i] = turned + (long) i * Lanes.BYTES;
        }
        for (int i = 0; i < squares; i++) {
            long at = first + (long) i * Lanes.BYTES;
            if (at + Lanes.BYTES <= rowBytes) {
                transpose.turn(stripRows, at, wordRows, i * squareBytes);
            } else {
                copyEdge(at);
                transpose.turn(edgeRows, 0, wordRows, i * squareBytes);
            }
        }
        long out = columns.address(4L * squares * squareBytes);
        AcrossKernel.spread(turned, squares * LANES, out);
        return out;
    }

    /** Copies the end of the strip's rows to where a full vector may be read. */
    private void copyEdge(long at) {
        long start = edge.address((long) LANES * Lanes.BYTES);
        for (int lane = 0; lane < LANES; lane++) {
            edgeRows[lane] = start + (long) lane * Lanes.BYTES;
            MemorySegment.copy(
                    Scratch.MEMORY,
                    stripRows[lane] + at,
                    Scratch.MEMORY,
                    edgeRows[lane],
                    rowBytes - at);
        }
    }

    /** Turns a channel of the strip into rows of the ring. */
    private void turnBack(long in, int row, int channel) {
        long start =
                ring.address(3L * ringRows * rowStride) + (long) channel * ringRows * rowStride;
        for (int lane = 0; lane < LANES; lane++) {
            midRows[lane] = start + (long) ((row + lane) % ringRows) * rowStride;
        }
        int side = LANES * Taps.GROUP;
        for (int x = 0; x < columnCount; x += side) {
            for (int i = 0; i < LANES; i++) {
                blockRows[i] = in + ((long) x / Taps.GROUP + i) * Lanes.BYTES;
            }
            transpose.turn(blockRows, 0, midRows, x);
        }
    }

    private long address(MemorySegment rgb) {
        if (rgb.isNative()) {
            return rgb.address();
        }
        long copy = copied.address(rgb.byteSize());
        MemorySegment.copy(rgb, 0, Scratch.MEMORY, copy, rgb.byteSize());
        return copy;
    }
}
