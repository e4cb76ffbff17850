package io.headrace.runtime.construct.shape;

import io.headrace.engine.cost.Features;
import io.headrace.engine.descriptor.BadPayload;
import io.headrace.media.process.ImageLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sizes of one sample under a recipe's processor.
 *
 * @param images layouts of the pictures that the model takes, in order
 * @param problem why the sample has no shape and is masked unread, such as a missing picture; null for a good one
 */
public record SampleShape(
        List<ImageLayout> images, Features features, @Nullable BadPayload problem) {
    public SampleShape {
        images = List.copyOf(images);
    }

    /** Positions that the pictures take in the backbone's sequence. */
    public int imageTokens() {
        return images.stream().mapToInt(ImageLayout::tokens).sum();
    }
}
