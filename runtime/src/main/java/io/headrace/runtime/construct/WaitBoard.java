package io.headrace.runtime.construct;

import io.headrace.engine.descriptor.Descriptor;
import io.headrace.engine.descriptor.Part;
import io.headrace.runtime.construct.progress.SampleProgress;
import io.headrace.runtime.deliver.report.JobHistory;
import io.headrace.runtime.deliver.report.WaitReport;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What every step is waiting for, for those who wait: written by constructor and decode threads, read by any thread without blocking
 * them.
 */
public final class WaitBoard {

    private final SampleNames names;
    private final Map<Place, List<SampleProgress>> building = new ConcurrentHashMap<>();
    private volatile List<Integer> readySteps = List.of();

    private record Place(int rank, long step) {}

    public WaitBoard(SampleNames names) {
        this.names = names;
    }

    void show(List<RankWindow> windows) {
        readySteps = windows.stream().map(RankWindow::readySteps).toList();
    }

    void building(StepBuild build, List<SampleProgress> samples) {
        building.put(new Place(build.rank(), build.step()), samples);
    }

    void built(StepBuild build) {
        building.remove(new Place(build.rank(), build.step()));
    }

    /** Complete steps held for each rank. */
    public List<Integer> readySteps() {
        return readySteps;
    }

    /** The sample that keeps a rank's step waiting longest in its present stage: one that is worked on before one that is queued. */
    public WaitReport report(int rank, long step) {
        List<SampleProgress> samples = building.get(new Place(rank, step));
        if (samples == null) {
            return new WaitReport(rank, step, "planning, or waiting for a slot", "", "", 0);
        }
        return samples.stream()
                .filter(s -> s.view().stage() != SampleProgress.Stage.DONE)
                .min(
                        Comparator.comparing(
                                        (SampleProgress s) ->
                                                s.view().stage() == SampleProgress.Stage.QUEUED)
                                .thenComparingLong(s -> s.view().sinceEpochMillis()))
                .map(s -> report(rank, step, s))
                .orElseGet(() -> new WaitReport(rank, step, "handing over", "", "", 0));
    }

    /** The sample that was done last in a step that came late. */
    JobHistory.LateSample late(StepBuild build, StepBuild.Last last) {
        Descriptor descriptor = last.place().descriptor();
        return new JobHistory.LateSample(
                build.rank(),
                build.step(),
                names.sample(descriptor),
                descriptor.parts().isEmpty()
                        ? ""
                        : names.file(descriptor, descriptor.parts().getFirst()),
                last.nanos());
    }

    private WaitReport report(int rank, long step, SampleProgress sample) {
        SampleProgress.View view = sample.view();
        Descriptor descriptor = sample.place().descriptor();
        Part part =
                view.part() != null || descriptor.parts().isEmpty()
                        ? view.part()
                        : descriptor.parts().getFirst();
        return new WaitReport(
                rank,
                step,
                view.stage().name().toLowerCase(Locale.ROOT),
                names.sample(descriptor),
                part == null ? "" : names.file(descriptor, part),
                view.sinceEpochMillis());
    }
}
