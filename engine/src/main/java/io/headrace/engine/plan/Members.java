package io.headrace.engine.plan;

import io.headrace.engine.cost.Features;
import io.headrace.engine.descriptor.SampleRef;
import java.util.List;

/**
 * The global batch of one step, before anyone knows which rank gets what.
 *
 * @param rows rows of the batch in order, each of one sample, or packs of several
 * @param tooLong samples that were drawn but fit no pack: left out, for the ledger
 */
public record Members(long step, List<Row> rows, List<SampleRef> tooLong) {
    public Members {
        rows = List.copyOf(rows);
        tooLong = List.copyOf(tooLong);
    }

    /** One row, its samples in order of their offsets. */
    public record Row(List<Member> members) {
        public Row {
            members = List.copyOf(members);
            if (members.isEmpty()) {
                throw new IllegalArgumentException("Row without a sample");
            }
        }
    }

    /**
     * One sample of the step.
     *
     * @param filler true where it only fills a short last batch: masked, and not counted as delivered
     */
    public record Member(SampleRef sample, Features features, boolean filler) {}

    /** Every member, row by row. */
    public List<Member> all() {
        return rows.stream().flatMap(row -> row.members().stream()).toList();
    }

    /** Members that count as delivered, row by row. */
    public List<SampleRef> delivered() {
        return all().stream().filter(member -> !member.filler()).map(Member::sample).toList();
    }
}
