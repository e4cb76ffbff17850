package io.headrace.runtime.construct.shape;

import io.headrace.engine.cost.Features;
import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.Descriptor;
import io.headrace.engine.descriptor.Part;
import io.headrace.engine.recipe.BatchSpec;
import io.headrace.engine.recipe.ProcessSpec;
import io.headrace.media.process.ImageLayout;
import io.headrace.media.process.audio.AudioLayout;
import io.headrace.media.process.video.VideoFacts;
import io.headrace.media.process.video.VideoLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * From a descriptor to the shape of its tensors, by the recipe's processor. Planner and constructor share it, so what is planned is what
 * is laid out. Only the processor's layout is used, which holds no scratch memory; callers on several threads have one each.
 */
public final class SampleShaper {

    /** Frames under one position of Whisper's encoder, whose second convolution has stride 2. */
    private static final int ENCODER_FRAMES = 2;

    private final ProcessSpec process;
    private final MediaProcessors processors;
    private final ModelForm form;
    private final int cutTokens;

    /**
     * @param batch decides what becomes of a text above {@code max_tokens}: it is cut there, but what is longer than a pack is left out
     *     whole when packs are filled, so a cap of the pack's own length cuts nothing
     */
    public SampleShaper(ProcessSpec process, BatchSpec batch, MediaProcessors processors) {
        this.process = process;
        this.processors = processors;
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
        Features text = new Features(cut(textTokens, 0), 0, 0, payloadBytes);
        List<Part.Image> images = form.images(descriptor);
        List<Part.Video> videos = form.videos(descriptor);
        List<Part.Audio> audios = form.audios(descriptor);
        if (images.isEmpty() && videos.isEmpty() && audios.isEmpty() && !form.needed().isEmpty()) {
            return SampleShape.bad(
                    text,
                    new BadPayload(
                            BadPayload.Reason.MISSING_FIELD, "The sample has no " + form.needed()));
        }
        List<ImageLayout> imageLayouts = new ArrayList<>();
        List<VideoLayout> videoLayouts = new ArrayList<>();
        List<AudioLayout> audioLayouts = new ArrayList<>();
        Features media = Features.NONE;
        try {
            for (Part.Image image : images) {
                if (form == ModelForm.BUCKETS) {
                    VideoLayout layout = frame(image);
                    videoLayouts.add(layout);
                    media = media.plus(features(layout, (long) image.width() * image.height()));
                    continue;
                }
                ImageLayout layout = layout(image, images.size());
                imageLayouts.add(layout);
                media = media.plus(features(layout, image));
            }
            for (Part.Video video : videos) {
                VideoLayout layout = layout(video);
                videoLayouts.add(layout);
                long decoded = DecodedFrames.of(layout.frames(), video.frames(), video.keyFrames());
                media = media.plus(features(layout, decoded * video.width() * video.height()));
            }
            for (Part.Audio audio : audios) {
                AudioLayout layout =
                        processors.neededAudios().layout(audio.rateHz(), audio.samples());
                audioLayouts.add(layout);
                media = media.plus(features(layout, audio));
            }
        } catch (BadPayload e) {
            return SampleShape.bad(text, e);
        }
        Features all =
                new Features(
                        cut(textTokens + media.tokens(), media.tokens()),
                        media.patches(),
                        media.pixels(),
                        payloadBytes);
        return new SampleShape(imageLayouts, videoLayouts, audioLayouts, all, null);
    }

    private ImageLayout layout(Part.Image image, int pictures) throws BadPayload {
        boolean upright = process.applyOrientation();
        int width = upright ? image.uprightWidth() : image.width();
        int height = upright ? image.uprightHeight() : image.height();
        refuseAbove(process.maxImagePixels(), width, height);
        return processors.neededImages().layout(width, height, pictures);
    }

    /** A picture as a video of one frame. */
    private VideoLayout frame(Part.Image image) throws BadPayload {
        boolean upright = process.applyOrientation();
        int width = upright ? image.uprightWidth() : image.width();
        int height = upright ? image.uprightHeight() : image.height();
        refuseAbove(process.maxImagePixels(), width, height);
        return processors.neededVideos().layout(VideoFacts.picture(width, height));
    }

    private Features features(ImageLayout layout, Part.Image image) {
        return new Features(
                form.inText() ? layout.tokens() : 0,
                layout.patches(),
                (long) image.width() * image.height(),
                0);
    }

    private VideoLayout layout(Part.Video video) throws BadPayload {
        refuseAbove(process.maxImagePixels(), video.width(), video.height());
        return processors
                .neededVideos()
                .layout(
                        new VideoFacts(
                                video.uprightWidth(),
                                video.uprightHeight(),
                                video.frames(),
                                video.meanRate()));
    }

    private Features features(AudioLayout layout, Part.Audio audio) {
        return new Features(
                form == ModelForm.SOUND ? layout.tokens() : 0,
                layout.frames() / ENCODER_FRAMES,
                audio.samples(),
                0);
    }

    /** The transformer of a diffusion model runs over the latent alone: its positions are the patches. */
    private Features features(VideoLayout layout, long decodedPixels) {
        return new Features(
                form.inText() ? layout.tokens() : 0,
                form == ModelForm.BUCKETS ? layout.tokens() : layout.patches(),
                decodedPixels,
                0);
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
