package io.headrace.sim;

import io.headrace.engine.cost.learn.CpuWork;
import io.headrace.engine.cost.learn.RankWork;
import io.headrace.engine.descriptor.SampleRef;
import java.util.List;

/** What work really costs in a simulation; functions of their arguments, so that runs repeat exactly. */
public interface SimCosts {

    /** A sample's parts, as the CPU model sees them. */
    List<CpuWork> cpuWork(SampleRef sample);

    /** CPU time of one sample. */
    double cpuNanos(SampleRef sample);

    /** Pieces that a sample can be split into. */
    int pieces(SampleRef sample);

    /** Compute time of a rank for what it got in a step. */
    double computeNanos(long step, RankWork work);
}
