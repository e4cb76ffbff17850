package io.headrace.runtime.construct;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.Descriptor;
import io.headrace.engine.descriptor.Location;
import io.headrace.engine.descriptor.Part;
import io.headrace.engine.descriptor.SampleRef;
import io.headrace.engine.recipe.ErrorSpec;
import io.headrace.runtime.construct.shape.SamplePlace;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The recipe's error policy: a sample that cannot be used goes to the ledger and its place is masked, or the job ends. Thread-safe.
 */
public final class SampleErrors {

    private static final Logger LOG = LoggerFactory.getLogger(SampleErrors.class);

    private final ErrorSpec policy;
    private final SampleNames names;
    private final Function<SampleRef, Descriptor> descriptors;
    private final Ledger ledger;
    private final AtomicInteger consecutive = new AtomicInteger();

    /**
     * @param descriptors the descriptor of a sample, from its index
     */
    public SampleErrors(
            ErrorSpec policy,
            SampleNames names,
            Function<SampleRef, Descriptor> descriptors,
            Ledger ledger) {
        this.policy = policy;
        this.names = names;
        this.descriptors = descriptors;
        this.ledger = ledger;
    }

    Path ledgerFile() {
        return ledger.file();
    }

    /** A sample went well. */
    void good() {
        if (consecutive.get() != 0) {
            consecutive.set(0);
        }
    }

    /** Notes a bad sample; gives the error that ends the job, if the policy says so. */
    Optional<JobFailure> bad(
            StepBuild build, SamplePlace place, @Nullable Part part, BadPayload problem) {
        String where = where(build, place, part);
        String what = "%s: %s (%s)".formatted(where, problem.getMessage(), problem.reason());
        ledger.add(entry(build, place, part, problem), problem.reason(), detail(problem));
        return switch (policy.policy()) {
            case STOP ->
                    Optional.of(
                            new JobFailure(
                                    what + "; errors.policy is stop", problem, build.step()));
            case MASK -> {
                LOG.warn("masked {}", what);
                int limit = policy.stopAfterConsecutive();
                yield consecutive.incrementAndGet() < limit
                        ? Optional.empty()
                        : Optional.of(
                                new JobFailure(
                                        "%d samples in a row could not be used, errors.stop_after_consecutive is %d; the last: %s. All are listed in %s"
                                                .formatted(limit, limit, what, ledger.file()),
                                        problem));
            }
        };
    }

    /** Notes samples that were drawn for a step but are longer than a pack. */
    void tooLong(long step, List<SampleRef> samples) {
        for (SampleRef sample : samples) {
            Descriptor descriptor = descriptors.apply(sample);
            String shard =
                    descriptor.parts().isEmpty()
                            ? ""
                            : names.shard(
                                    sample.source(),
                                    descriptor.parts().getFirst().location().shard());
            ledger.add(
                    new Ledger.Place(
                            names.source(sample.source()), shard, descriptor.key(), -1, step, -1),
                    BadPayload.Reason.TOO_LONG,
                    "longer than a pack: batch.length");
        }
    }

    /** The error of a sample that cannot be read at all. */
    JobFailure unreadable(
            StepBuild build, SamplePlace place, @Nullable Part part, Exception cause) {
        return new JobFailure(where(build, place, part) + ": " + cause, cause, build.step());
    }

    private String where(StepBuild build, SamplePlace place, @Nullable Part part) {
        String file = part == null ? "" : ", " + names.file(place.descriptor(), part);
        return "sample %s%s, step %d, rank %d"
                .formatted(names.sample(place.descriptor()), file, build.step(), build.rank());
    }

    private Ledger.Place entry(
            StepBuild build, SamplePlace place, @Nullable Part failed, BadPayload problem) {
        Part part =
                failed == null && !place.descriptor().parts().isEmpty()
                        ? place.descriptor().parts().getFirst()
                        : failed;
        int source = place.placement().sample().source();
        if (part == null) {
            return new Ledger.Place(
                    names.source(source),
                    "",
                    place.descriptor().key(),
                    -1,
                    build.step(),
                    build.rank());
        }
        long offset =
                switch (part.location()) {
                    case Location.Range range ->
                            range.offsetBytes() + Math.max(0, problem.offsetBytes());
                    case Location.Cell cell -> cell.row();
                    case Location.File _ -> Math.max(0, problem.offsetBytes());
                };
        String member =
                part.location() instanceof Location.File file
                        ? file.path()
                        : SampleNames.member(place.descriptor(), part);
        return new Ledger.Place(
                names.source(source),
                names.shard(source, part.location().shard()),
                member,
                offset,
                build.step(),
                build.rank());
    }

    private static String detail(BadPayload problem) {
        return String.valueOf(problem.getMessage());
    }
}
