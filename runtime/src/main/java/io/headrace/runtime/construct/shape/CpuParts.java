package io.headrace.runtime.construct.shape;

import io.headrace.engine.cost.learn.CpuKey;
import io.headrace.engine.cost.learn.CpuKey.Operation;
import io.headrace.engine.cost.learn.CpuWork;
import io.headrace.engine.descriptor.Descriptor;
import io.headrace.engine.descriptor.Part;
import io.headrace.engine.recipe.ProcessSpec;
import io.headrace.media.process.audio.AudioLayout;
import io.headrace.media.process.video.VideoLayout;
import java.util.ArrayList;
import java.util.List;

/** CPU work of a sample, part by part, as descriptor and shape tell before anything is read. */
public final class CpuParts {

    private static final double CHANNELS = 3;

    private final ModelForm form;
    private final Operation ofPictures;

    public CpuParts(ProcessSpec process) {
        this.form = ModelForm.of(process.model());
        this.ofPictures =
                process.quality() == ProcessSpec.Quality.FAST
                        ? Operation.DECODE_SCALED
                        : Operation.DECODE;
    }

    /** The parts that are worked on; none for a sample that is masked unread. */
    public List<CpuWork> of(Descriptor descriptor, SampleShape shape) {
        List<CpuWork> work = new ArrayList<>();
        if (shape.problem() != null) {
            return work;
        }
        List<Part.Image> images = form.images(descriptor);
        for (int i = 0; i < images.size(); i++) {
            Part.Image image = images.get(i);
            double outputs =
                    form == ModelForm.BUCKETS
                            ? shape.videos().get(i).pixels()
                            : shape.images().get(i).elements() / CHANNELS;
            work.add(work(image, ofPictures, (double) image.width() * image.height(), outputs));
        }
        List<Part.Video> videos = form.videos(descriptor);
        for (int i = 0; i < videos.size(); i++) {
            Part.Video video = videos.get(i);
            VideoLayout layout = shape.videos().get(i);
            double frames = DecodedFrames.of(layout.frames(), video.frames(), video.keyFrames());
            double pixels = frames * video.width() * video.height();
            work.add(work(video, Operation.DECODE_FRAMES, pixels, (double) layout.pixels()));
        }
        List<Part.Audio> audios = form.audios(descriptor);
        for (int i = 0; i < shape.audios().size(); i++) {
            Part.Audio audio = audios.get(i);
            AudioLayout layout = shape.audios().get(i);
            double samples = (double) audio.samples() * audio.channels();
            work.add(work(audio, Operation.DECODE, samples, (double) layout.elements()));
        }
        for (Part part : descriptor.parts()) {
            if (part instanceof Part.Text text) {
                work.add(work(text, Operation.TOKENIZE, text.tokens(), text.tokens()));
            }
        }
        return work;
    }

    /** Memory that a sample takes while it is worked on: what is encoded, and one picture or frame of three bytes a pixel. */
    public static long bytes(Descriptor descriptor) {
        long encoded = 0;
        long pixels = 0;
        for (Part part : descriptor.parts()) {
            encoded += Math.max(0, part.location().lengthBytes());
            if (part instanceof Part.Image image) {
                pixels = Math.max(pixels, (long) image.width() * image.height());
            } else if (part instanceof Part.Video video) {
                pixels = Math.max(pixels, (long) video.width() * video.height());
            }
        }
        return encoded + 3 * pixels;
    }

    private static CpuWork work(Part part, Operation operation, double units, double outputs) {
        double bytes = Math.max(0, part.location().lengthBytes());
        return new CpuWork(new CpuKey(part.codec(), operation), units, bytes, outputs);
    }
}
