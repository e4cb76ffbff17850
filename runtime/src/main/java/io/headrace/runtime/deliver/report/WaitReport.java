package io.headrace.runtime.deliver.report;

/**
 * Why a step is not ready. Unknown texts are empty.
 *
 * @param stage what is going on: planning, loading, decoding, waiting for a slot
 * @param sample the sample that is worked on, as source/key
 * @param file its shard or file, with the member where known
 * @param sinceEpochMillis when this stage of the sample began; 0 if unknown
 */
public record WaitReport(
        int rank, long step, String stage, String sample, String file, long sinceEpochMillis) {}
