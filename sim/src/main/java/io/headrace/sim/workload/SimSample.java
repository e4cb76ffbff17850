package io.headrace.sim.workload;

import io.headrace.engine.cost.Features;
import io.headrace.engine.cost.learn.CpuWork;
import java.util.List;

/**
 * A sample of a simulated workload.
 *
 * @param work its parts as the CPU model sees them
 * @param cpuNanos what it really takes
 * @param pieces that it can be split into
 */
public record SimSample(Features features, List<CpuWork> work, long cpuNanos, int pieces) {
    public SimSample {
        work = List.copyOf(work);
    }
}
