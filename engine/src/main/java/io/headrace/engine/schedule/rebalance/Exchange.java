package io.headrace.engine.schedule.rebalance;

/** Two samples that change places, so that every rank keeps its number of samples. */
public record Exchange(Piece heavy, Piece light) {

    /** What the heavier rank loses and the lighter one gets. */
    double shiftNanos() {
        return heavy.costNanos() - light.costNanos();
    }

    long bytes() {
        return heavy.bytes() + light.bytes();
    }
}
