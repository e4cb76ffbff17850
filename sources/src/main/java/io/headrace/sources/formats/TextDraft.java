package io.headrace.sources.formats;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.MediaCounts;
import io.headrace.engine.descriptor.Part;

/** A text that was read, before it is known what media its sample has; the tokens of a conversation may depend on it. */
public interface TextDraft {

    /** The description of the text in a sample of so much media. */
    Part.Text finish(MediaCounts media) throws BadPayload;
}
