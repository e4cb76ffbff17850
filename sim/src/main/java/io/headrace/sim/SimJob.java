package io.headrace.sim;

import io.headrace.engine.cost.learn.CpuKey.Operation;
import io.headrace.engine.cost.learn.CpuWork;
import io.headrace.engine.schedule.DecodePolicy;
import io.headrace.engine.schedule.DecodePolicy.Task;
import io.headrace.engine.schedule.DecodeQueue;
import java.util.ArrayList;
import java.util.List;

/**
 * A sample, or a piece of one, that waits or runs on simulated cores.
 *
 * @param work empty for a piece: only whole samples are learnt from
 */
record SimJob(DecodePolicy.Task task, List<CpuWork> work, double cpuNanos)
        implements DecodeQueue.Item {

    /** A piece of a video begins at a key frame and decodes up to its own first frame: so much more of its own work. */
    private static final double SPLIT_OVERHEAD = 0.05;

    List<SimJob> split(int pieces) {
        List<SimJob> cut = new ArrayList<>();
        boolean frames =
                work.stream().anyMatch(w -> w.key().operation() == Operation.DECODE_FRAMES);
        double share = (frames ? 1 + SPLIT_OVERHEAD : 1) / pieces;
        for (int i = 0; i < pieces; i++) {
            Task piece =
                    new Task(
                            task.step(),
                            task.rank(),
                            task.sequence(),
                            Math.round(task.predictedNanos() * share),
                            task.bytes() / pieces,
                            1);
            cut.add(new SimJob(piece, List.of(), cpuNanos * share));
        }
        return cut;
    }
}
