package io.headrace.runtime.construct;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.recipe.ProcessSpec;
import io.headrace.media.decode.Picture;
import io.headrace.media.process.ImageLayout;
import io.headrace.media.process.ImageProcessor;
import io.headrace.media.process.ImageProcessors;
import java.lang.foreign.MemorySegment;

/** The processor of a recipe, also where its model takes no pictures. */
public final class PictureProcessors {

    private PictureProcessors() {}

    /** A processor for one thread. */
    public static ImageProcessor of(ProcessSpec process) {
        return switch (process.model()) {
            case ProcessSpec.Model.TextOnly _ -> new NoPictures();
            case ProcessSpec.Model.Clip _,
                    ProcessSpec.Model.Siglip _,
                    ProcessSpec.Model.Siglip2 _,
                    ProcessSpec.Model.Qwen25Vl _ ->
                    ImageProcessors.create(process);
        };
    }

    /** For models of text alone: no picture ever has a layout. */
    private static final class NoPictures implements ImageProcessor {
        @Override
        public ImageLayout layout(int width, int height) throws BadPayload {
            throw new BadPayload(BadPayload.Reason.UNSUPPORTED, "The model takes no pictures");
        }

        @Override
        public void process(Picture picture, ImageLayout layout, MemorySegment out) {
            throw new IllegalStateException("The model takes no pictures");
        }

        @Override
        public float[][] table() {
            return new float[3][256];
        }
    }
}
