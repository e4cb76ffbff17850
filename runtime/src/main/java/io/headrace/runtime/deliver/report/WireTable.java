package io.headrace.runtime.deliver.report;

import java.util.List;

/**
 * Turns a tensor of levels (uint8) into the float32 values of the model's processor: the value of flat element {@code i} is
 * {@code values[(i / channelElements) % 3][level]}.
 *
 * @param tensor name of the tensor of levels
 * @param channelElements elements of one channel that follow each other: a whole plane, a channel of a patch, or 1
 * @param values three channels of 256 values
 * @param validity names of uint8, int32 or int64 tensors whose shape begins the tensor's own; where one is 0 the values are 0
 */
public record WireTable(
        String tensor, long channelElements, List<List<Float>> values, List<String> validity) {
    public WireTable {
        values = values.stream().map(List::copyOf).toList();
        validity = List.copyOf(validity);
        if (channelElements < 1
                || values.size() != 3
                || values.stream().anyMatch(channel -> channel.size() != 256)) {
            throw new IllegalArgumentException("Not a table of 3 x 256 values");
        }
    }
}
