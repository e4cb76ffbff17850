package io.headrace.runtime.deliver.report;

import java.util.List;

/** What the decode pool has done lately, as the server tells it. Read by any thread. */
public interface JobHistory {

    /** That of a server whose steps nobody decodes. */
    JobHistory NONE =
            new JobHistory() {
                @Override
                public List<SampleTime> ofStep(long step) {
                    return List.of();
                }

                @Override
                public List<DecodeSpan> spans() {
                    return List.of();
                }

                @Override
                public List<LateSample> late() {
                    return List.of();
                }
            };

    /** What the samples of a step took, as far as it is still known; the last decoded last. */
    List<SampleTime> ofStep(long step);

    /** The work on samples that was done last, the oldest first. */
    List<DecodeSpan> spans();

    /** The samples that ranks waited for, the latest last. */
    List<LateSample> late();

    /** CPU time that a sample of a rank's step took from its encoded bytes to its place in the slot. */
    record SampleTime(int rank, int source, long index, long decodeNanos) {}

    /**
     * Work of one decode thread on one sample, or on one share of it.
     *
     * @param worker number of the thread
     * @param startNanos {@link System#nanoTime}, as the ranks' clocks of the same server
     */
    record DecodeSpan(
            long step,
            int rank,
            int source,
            long index,
            int worker,
            long startNanos,
            long endNanos) {}

    /**
     * The sample that was ready last in a step that its rank already waited for.
     *
     * @param sample source and key
     * @param file shard or file that it lies in
     */
    record LateSample(int rank, long step, String sample, String file, long decodeNanos) {}
}
