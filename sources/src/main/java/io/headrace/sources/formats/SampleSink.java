package io.headrace.sources.formats;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.Codec;
import io.headrace.engine.descriptor.Location;
import io.headrace.engine.descriptor.MediaKind;
import io.headrace.engine.descriptor.Part;
import java.io.IOException;
import java.util.List;

/**
 * Takes what a scan finds. The parts of a sample are described one by one, in the order in which they lie in the shard, and the sample
 * is given when it is whole. Called by one thread at a time.
 */
public interface SampleSink {

    /** Describes a picture, video or audio from the headers of its payload. */
    Part media(MediaKind kind, String field, Location location, Payload payload)
            throws BadPayload, IOException;

    /**
     * Reads a text; its description is finished when the sample is whole.
     *
     * @param field for JSON with the key inside, as {@link Part.Text#selector()} has it
     */
    TextDraft text(String field, Location location, Codec codec, Payload payload)
            throws BadPayload, IOException;

    /** A whole sample, with its parts in the order in which it shows them. */
    void sample(String key, List<Part> parts) throws IOException;

    /** Something is left out. */
    void skip(Skip skip);

    /** So much of the shard has been looked at. */
    void progress(long shardBytes);
}
