package io.headrace.media.video.container;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Walks the samples of a track through its chunks (stsc, stco, co64) and tells where each lies in the file. */
final class ChunkCursor {
    private final BoxBytes bytes;
    private final Box runs;
    private final int runCount;
    private final Box chunks;
    private final int chunkCount;
    private final boolean wide;
    private int run = -1;
    private long nextRunChunk = 1;
    private int chunk;
    private long samplesLeft;
    private long samplesPerChunk;
    private long offset;

    ChunkCursor(BoxBytes bytes, List<Box> stbl, Box parent) throws BadPayload {
        this.bytes = bytes;
        runs = BoxBytes.need(stbl, "stsc", parent);
        runCount = bytes.entries(runs, runs.from() + 4, runs.from() + 8, 12);
        Box wideChunks = BoxBytes.find(stbl, "co64");
        wide = wideChunks != null;
        chunks = chunks(wideChunks, stbl, parent);
        chunkCount = bytes.entries(chunks, chunks.from() + 4, chunks.from() + 8, wide ? 8 : 4);
    }

    private static Box chunks(@Nullable Box wide, List<Box> stbl, Box parent) throws BadPayload {
        return wide == null ? BoxBytes.need(stbl, "stco", parent) : wide;
    }

    /** Offset of the next sample, which has this many bytes. */
    long next(int sampleBytes) throws BadPayload {
        while (samplesLeft == 0) {
            nextChunk();
        }
        samplesLeft--;
        long here = offset;
        offset += sampleBytes;
        return here;
    }

    private void nextChunk() throws BadPayload {
        if (chunk == chunkCount) {
            throw new BadPayload(
                    Reason.CORRUPT,
                    "%d chunks do not hold all samples of the track".formatted(chunkCount),
                    chunks.at());
        }
        chunk++;
        while (chunk >= nextRunChunk && run + 1 < runCount) {
            nextRun();
        }
        if (run < 0) {
            throw new BadPayload(Reason.CORRUPT, "No entry of stsc covers chunk 1", runs.at());
        }
        long at = chunks.from() + 8 + (chunk - 1L) * (wide ? 8 : 4);
        offset = wide ? bytes.i64(at) : bytes.u32(at);
        if (offset < 0 || offset > Long.MAX_VALUE / 2) {
            throw new BadPayload(
                    Reason.CORRUPT, "Chunk %d at offset %d".formatted(chunk, offset), at);
        }
        samplesLeft = samplesPerChunk;
    }

    private void nextRun() throws BadPayload {
        run++;
        long at = runs.from() + 8 + run * 12L;
        long first = bytes.u32(at);
        samplesPerChunk = bytes.u32(at + 4);
        if (first != nextRunChunk) {
            throw new BadPayload(
                    Reason.CORRUPT,
                    "Entry %d of stsc begins at chunk %d, not %d"
                            .formatted(run, first, nextRunChunk),
                    at);
        }
        if (bytes.u32(at + 8) > 1) {
            throw new BadPayload(
                    Reason.UNSUPPORTED,
                    "Sample description %d from chunk %d on; only the first is decoded"
                            .formatted(bytes.u32(at + 8), first),
                    at);
        }
        nextRunChunk = Long.MAX_VALUE;
        if (run + 1 < runCount) {
            nextRunChunk = bytes.u32(at + 12);
            if (nextRunChunk <= first) {
                throw new BadPayload(
                        Reason.CORRUPT,
                        "Entry %d of stsc begins at chunk %d, after chunk %d"
                                .formatted(run + 1, nextRunChunk, first),
                        at + 12);
            }
        }
    }
}
