package io.headrace.engine.index;

import io.headrace.engine.descriptor.BadPayload;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What prepare left out, by reason: how many, and the first few by name. Entries are sorted by reason. */
public record SkipSummary(List<Entry> entries) {

    /** So many are named for each reason; the rest is only counted. */
    public static final int MAX_NAMES = 5;

    public static final SkipSummary NONE = new SkipSummary(List.of());

    public SkipSummary {
        entries = List.copyOf(entries);
    }

    /** The members or samples left out for one reason; {@code names} holds the first of them. */
    public record Entry(BadPayload.Reason reason, long count, List<String> names) {
        public Entry {
            names = List.copyOf(names);
        }
    }

    /** How many were left out for a reason. */
    public long count(BadPayload.Reason reason) {
        return entries.stream()
                .filter(e -> e.reason == reason)
                .mapToLong(Entry::count)
                .findFirst()
                .orElse(0);
    }

    /** How many were left out. */
    public long total() {
        return entries.stream().mapToLong(Entry::count).sum();
    }

    /** The counts alone. */
    SkipSummary withoutNames() {
        return new SkipSummary(
                entries.stream().map(e -> new Entry(e.reason, e.count, List.of())).toList());
    }

    /** The counts of both; names of this one first. */
    public SkipSummary plus(SkipSummary other) {
        Counting counting = new Counting();
        for (SkipSummary summary : List.of(this, other)) {
            for (Entry entry : summary.entries) {
                counting.add(entry.reason, entry.count, entry.names);
            }
        }
        return counting.summary();
    }

    /** Counts skips one by one. Not thread-safe. */
    public static final class Counting {
        private final Map<BadPayload.Reason, Long> counts = new EnumMap<>(BadPayload.Reason.class);
        private final Map<BadPayload.Reason, List<String>> names =
                new EnumMap<>(BadPayload.Reason.class);

        public void add(BadPayload.Reason reason, String name) {
            add(reason, 1, List.of(name));
        }

        private void add(BadPayload.Reason reason, long count, List<String> more) {
            counts.merge(reason, count, Long::sum);
            List<String> known = names.computeIfAbsent(reason, r -> new ArrayList<>());
            for (String name : more) {
                if (known.size() < MAX_NAMES) {
                    known.add(name);
                }
            }
        }

        public SkipSummary summary() {
            List<Entry> entries = new ArrayList<>();
            counts.forEach(
                    (reason, count) ->
                            entries.add(
                                    new Entry(
                                            reason, count, names.getOrDefault(reason, List.of()))));
            return new SkipSummary(entries);
        }
    }
}
