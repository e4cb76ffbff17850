package io.headrace.sources.formats;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.Part;

/** A text that was read, before it is known how many pictures its sample has; the tokens of a conversation may depend on it. */
public interface TextDraft {

    /** The description of the text in a sample of so many pictures. */
    Part.Text finish(int pictures) throws BadPayload;
}
