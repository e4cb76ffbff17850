package io.headrace.runtime.deliver;

import io.headrace.runtime.deliver.slot.Lease;
import io.headrace.runtime.deliver.slot.Slot;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * All open leases of the ranks, each tied to the connection that asked for it and, where told, to its process. A lease ends when its
 * rank releases it, when its connection closes, or when its process is gone. Safe for use by several threads.
 */
final class LeaseTable {
    private final Map<Long, Held> open = new ConcurrentHashMap<>();

    /** Any object that stands for a connection, compared by its {@code equals}, which is identity. */
    private record Held(Lease lease, Object connection, Optional<ClientId> client) {}

    /** A lease on the slot: the one that this connection has already, or a new one; empty once the slot is retired. */
    Optional<Lease> grant(Slot slot, Object connection, Optional<ClientId> client) {
        for (Held held : open.values()) {
            if (held.connection().equals(connection) && held.lease().slot().equals(slot)) {
                return Optional.of(held.lease());
            }
        }
        Optional<Lease> lease = slot.lease();
        lease.ifPresent(l -> open.put(l.id(), new Held(l, connection, client)));
        return lease;
    }

    /** Closes a lease of this rank; empty if there is no such open lease. */
    Optional<Lease> release(int rank, long id) {
        Held held = open.get(id);
        if (held == null || held.lease().slot().rank() != rank || !open.remove(id, held)) {
            return Optional.empty();
        }
        held.lease().release();
        return Optional.of(held.lease());
    }

    /** Takes back all leases of a connection that closed. */
    int takeBack(Object connection) {
        return takeBackIf(held -> held.connection().equals(connection));
    }

    /** Takes back the leases of processes that are gone although something keeps their connection open. */
    int takeBackOfDeadProcesses() {
        return takeBackIf(held -> held.client().isPresent() && held.client().get().isGone());
    }

    int takeBackAll() {
        return takeBackIf(held -> true);
    }

    private int takeBackIf(Predicate<Held> condition) {
        int count = 0;
        for (Held held : open.values().stream().filter(condition).toList()) {
            if (open.remove(held.lease().id(), held)) {
                held.lease().release();
                count++;
            }
        }
        return count;
    }

    int size() {
        return open.size();
    }
}
