package io.headrace.runtime.construct;

import io.headrace.runtime.deliver.slot.Slot;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The complete steps of all windows, for whoever asks for one: a rank whose step is ready is answered without a turn of the
 * constructor's actor. Written by that actor, read by any thread. A step found here may be retired a moment later; its slot then gives no
 * lease, and the asker turns to the actor.
 */
public final class ReadySteps {

    private final Map<Place, Slot> slots = new ConcurrentHashMap<>();

    private record Place(int rank, long step) {}

    void add(Slot slot) {
        slots.put(place(slot), slot);
    }

    void remove(Slot slot) {
        slots.remove(place(slot), slot);
    }

    /** The slot of a complete step. */
    public Optional<Slot> find(int rank, long step) {
        return Optional.ofNullable(slots.get(new Place(rank, step)));
    }

    private static Place place(Slot slot) {
        return new Place(slot.rank(), slot.step());
    }
}
