package io.headrace.media.text;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.media.text.prompt.Prompt;

/** A template: writes a prompt as ids, each picture as one pad token between its start and end. */
sealed interface Renderer permits PlainRenderer, ChatmlRenderer {

    /**
     * @param pictures pictures of the sample; those that the prompt gives no place go first
     */
    Draft render(Prompt prompt, int pictures) throws BadPayload;

    /** Ids at the end that stay when a sample is cut. */
    int suffixTokens();
}
