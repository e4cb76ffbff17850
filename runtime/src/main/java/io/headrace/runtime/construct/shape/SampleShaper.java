package io.headrace.runtime.construct.shape;

import io.headrace.engine.cost.Features;
import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.Descriptor;
import io.headrace.engine.descriptor.Part;
import io.headrace.engine.recipe.BatchSpec;
import io.headrace.engine.recipe.ProcessSpec;
import io.headrace.media.process.ImageLayout;
import io.headrace.media.process.ImageProcessor;
import java.util.ArrayList;
import java.util.List;

/**
 * From a descriptor to the shape of its tensors, by the recipe's processor. Planner and constructor share it, so what is planned is what
 * is laid out. Only the processor's layout is used, which holds no scratch memory; callers on several threads have one each.
 */
public final class SampleShaper {

    private final ProcessSpec process;
    private final ImageProcessor processor;
    private final ModelForm form;
    private final int cutTokens;

    /**
     * @param batch decides what becomes of a text above {@code max_tokens}: it is cut there, but what is longer than a pack is left out
     *     whole when packs are filled, so a cap of the pack's own length cuts nothing
     */
    public SampleShaper(ProcessSpec process, BatchSpec batch, ImageProcessor processor) {
        this.process = process;
        this.processor = processor;
        this.form = ModelForm.of(process.model());
        this.cutTokens =
                batch instanceof BatchSpec.Packs packs
                                && packs.lengthTokens() <= process.text().maxTokens()
                        ? Integer.MAX_VALUE
                        : process.text().maxTokens();
    }

    /** The shape of a sample; never fails, see {@link SampleShape#problem}. */
    public SampleShape shape(Descriptor descriptor) {
        int textTokens = textTokens(descriptor);
        long payloadBytes = 0;
        for (Part part : descriptor.parts()) {
            payloadBytes += Math.max(0, part.location().lengthBytes());
        }
        List<Part.Image> images = form.images(descriptor);
        if (images.isEmpty() && (form == ModelForm.FIXED || form == ModelForm.NAFLEX)) {
            BadPayload missing =
                    new BadPayload(BadPayload.Reason.MISSING_FIELD, "The sample has no picture");
            return new SampleShape(
                    List.of(), new Features(cut(textTokens, 0), 0, 0, payloadBytes), missing);
        }
        List<ImageLayout> layouts = new ArrayList<>();
        Features features = new Features(textTokens, 0, 0, payloadBytes);
        try {
            for (Part.Image image : images) {
                boolean upright = process.applyOrientation();
                int width = upright ? image.uprightWidth() : image.width();
                int height = upright ? image.uprightHeight() : image.height();
                refuseAbove(process.maxImagePixels(), width, height);
                ImageLayout layout = processor.layout(width, height);
                layouts.add(layout);
                int backboneTokens = form == ModelForm.GRID ? layout.tokens() : 0;
                features =
                        features.plus(
                                new Features(
                                        backboneTokens,
                                        layout.patches(),
                                        (long) width * height,
                                        0));
            }
        } catch (BadPayload e) {
            return new SampleShape(
                    List.of(), new Features(cut(textTokens, 0), 0, 0, payloadBytes), e);
        }
        Features cut =
                new Features(
                        cut(features.tokens(), features.tokens() - textTokens),
                        features.patches(),
                        features.pixels(),
                        features.payloadBytes());
        return new SampleShape(layouts, cut, null);
    }

    /** Tokens that are left of a sample: its end is cut, but never its pictures' places. */
    private int cut(int tokens, int pictureTokens) {
        return Math.max(pictureTokens, Math.min(tokens, cutTokens));
    }

    private static int textTokens(Descriptor descriptor) {
        int tokens = 0;
        for (Part part : descriptor.parts()) {
            if (part instanceof Part.Text text) {
                tokens += text.tokens();
            }
        }
        return tokens;
    }

    private static void refuseAbove(long maxPixels, int width, int height) throws BadPayload {
        if ((long) width * height > maxPixels) {
            throw new BadPayload(
                    BadPayload.Reason.TOO_MANY_PIXELS,
                    "%d x %d = %d pixels, the limit max_image_pixels is %d"
                            .formatted(width, height, (long) width * height, maxPixels));
        }
    }
}
