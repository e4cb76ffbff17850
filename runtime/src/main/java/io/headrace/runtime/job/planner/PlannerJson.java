package io.headrace.runtime.job.planner;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.headrace.engine.plan.Checkpoint;
import io.headrace.engine.plan.MembershipState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.serialization.SerializerWithStringManifest;

/** Events and snapshots of the Planner as JSON, for its journal; a checkpoint as JSON, for the trainer. */
public final class PlannerJson extends SerializerWithStringManifest {

    private static final int IDENTIFIER = 48_113;

    private static final ObjectMapper JSON =
            JsonMapper.builder()
                    .addMixIn(PlannerEvent.class, EventNames.class)
                    .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
                    .build();

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = PlannerEvent.Anchored.class, name = "anchored"),
        @JsonSubTypes.Type(value = PlannerEvent.Resumed.class, name = "resumed"),
        @JsonSubTypes.Type(value = PlannerEvent.Planned.class, name = "planned"),
        @JsonSubTypes.Type(value = PlannerEvent.Masked.class, name = "masked")
    })
    private interface EventNames {}

    private record Snapshot(List<MembershipState> anchors, long plannedSteps, long masked) {}

    /** The checkpoint as one line of JSON. */
    public static String write(Checkpoint checkpoint) {
        try {
            return JSON.writeValueAsString(checkpoint);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws IOException if it is no checkpoint
     */
    public static Checkpoint readCheckpoint(String json) throws IOException {
        return JSON.readValue(json, Checkpoint.class);
    }

    @Override
    public int identifier() {
        return IDENTIFIER;
    }

    @Override
    public String manifest(Object o) {
        return o instanceof PlannerState ? "snapshot" : "event";
    }

    @Override
    public byte[] toBinary(Object o) {
        try {
            return switch (o) {
                case PlannerEvent event ->
                        JSON.writerFor(PlannerEvent.class).writeValueAsBytes(event);
                case PlannerState(var anchors, long plannedSteps, long masked) ->
                        JSON.writeValueAsBytes(
                                new Snapshot(
                                        new ArrayList<>(anchors.values()), plannedSteps, masked));
                default -> throw new IllegalArgumentException("Not the Planner's: " + o.getClass());
            };
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Object fromBinary(byte[] bytes, String manifest) {
        try {
            if (manifest.equals("event")) {
                return JSON.readValue(bytes, PlannerEvent.class);
            }
            Snapshot snapshot = JSON.readValue(bytes, Snapshot.class);
            PlannerState state = PlannerState.from(snapshot.anchors().getFirst());
            for (MembershipState anchor : snapshot.anchors()) {
                state.anchors().put(anchor.step(), anchor);
            }
            return new PlannerState(state.anchors(), snapshot.plannedSteps(), snapshot.masked());
        } catch (IOException e) {
            throw new IllegalStateException("The Planner's journal cannot be read", e);
        }
    }
}
