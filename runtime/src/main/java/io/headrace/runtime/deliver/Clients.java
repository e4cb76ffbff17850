package io.headrace.runtime.deliver;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Which connections belong to ranks, and since when there is none. Tools such as {@code curl} do not count: a rank's requests name its
 * process. Safe for use by several threads.
 */
final class Clients {
    private final Set<Object> connections = ConcurrentHashMap.newKeySet();
    private final LongSupplier nanoClock;
    private volatile boolean hadOne;
    private volatile long emptySinceNanos;

    Clients(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.emptySinceNanos = nanoClock.getAsLong();
    }

    void seen(Object connection) {
        if (connections.add(connection)) {
            hadOne = true;
        }
    }

    void closed(Object connection) {
        if (connections.remove(connection) && connections.isEmpty()) {
            emptySinceNanos = nanoClock.getAsLong();
        }
    }

    int count() {
        return connections.size();
    }

    /** Whether the last rank is gone for longer than {@code grace}, or none came within the first grace. */
    boolean deserted(Duration grace, Duration firstGrace) {
        Duration allowed = hadOne ? grace : firstGrace;
        return connections.isEmpty() && nanoClock.getAsLong() - emptySinceNanos > allowed.toNanos();
    }
}
