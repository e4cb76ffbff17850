package io.headrace.runtime.deliver;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Which connections belong to ranks, and since when there is none. Tools such as {@code curl} do not count: a rank's requests name its
 * process. Guarded by itself.
 */
final class Clients {
    private final Set<Object> connections = new HashSet<>();
    private final LongSupplier nanoClock;
    private boolean hadOne;
    private boolean ended;
    private long emptySinceNanos;

    Clients(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.emptySinceNanos = nanoClock.getAsLong();
    }

    /** Whether this rank is welcome; once the engine was found deserted, none is: the next engine serves it. */
    synchronized boolean welcome(Object connection) {
        if (!ended && connections.add(connection)) {
            hadOne = true;
        }
        return !ended;
    }

    synchronized void closed(Object connection) {
        if (connections.remove(connection) && connections.isEmpty()) {
            emptySinceNanos = nanoClock.getAsLong();
        }
    }

    synchronized int count() {
        return connections.size();
    }

    /** Whether the last rank is gone for longer than {@code grace}, or none came within the first grace. Then it stays so. */
    synchronized boolean deserted(Duration grace, Duration firstGrace) {
        Duration allowed = hadOne ? grace : firstGrace;
        ended =
                ended
                        || (connections.isEmpty()
                                && nanoClock.getAsLong() - emptySinceNanos > allowed.toNanos());
        return ended;
    }
}
