package io.headrace.runtime.deliver.report;

import java.util.List;
import java.util.Map;

/**
 * Where the job stands.
 *
 * @param state running, finished or failed
 * @param plannedStep first step that is not planned yet
 * @param readyAhead complete steps held for each rank
 * @param counters whatever else is counted, by name: decoded samples, masked samples, imbalance
 */
public record StoreStatus(
        String state, long plannedStep, List<Integer> readyAhead, Map<String, Double> counters) {
    public StoreStatus {
        readyAhead = List.copyOf(readyAhead);
        counters = Map.copyOf(counters);
    }
}
