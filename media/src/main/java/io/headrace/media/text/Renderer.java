package io.headrace.media.text;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.MediaCounts;
import io.headrace.media.text.prompt.Prompt;

/** A template: writes a prompt as ids, each picture, video or audio as one pad token between its start and end. */
sealed interface Renderer permits PlainRenderer, ChatmlRenderer {

    /**
     * @param media what the sample has; what the prompt gives no place goes first
     */
    Draft render(Prompt prompt, MediaCounts media) throws BadPayload;

    /** Ids at the end that stay when a sample is cut. */
    int suffixTokens();
}
