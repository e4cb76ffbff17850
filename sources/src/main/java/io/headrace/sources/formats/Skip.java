package io.headrace.sources.formats;

import io.headrace.engine.descriptor.BadPayload;

/**
 * A member, line or sample that is left out.
 *
 * @param name the member, or the line, or the key of the sample
 * @param offsetBytes where in the shard; -1 if unknown
 */
public record Skip(BadPayload.Reason reason, String name, long offsetBytes, String detail) {}
