package io.headrace.runtime.construct;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.Part;
import io.headrace.engine.recipe.ProcessSpec;
import io.headrace.media.audio.AudioDecoder;
import io.headrace.media.audio.mel.LogMel;
import io.headrace.media.decode.DecodeOptions;
import io.headrace.media.decode.ImageDecoder;
import io.headrace.media.decode.Picture;
import io.headrace.media.probe.ByteView;
import io.headrace.media.process.ImageLayout;
import io.headrace.media.process.ImageProcessor;
import io.headrace.media.process.audio.AudioLayout;
import io.headrace.media.process.audio.AudioProcessor;
import io.headrace.media.process.video.VideoLayout;
import io.headrace.media.process.video.VideoProcessor;
import io.headrace.media.resize.Window;
import io.headrace.media.text.EncodedText;
import io.headrace.media.text.MediaSize;
import io.headrace.media.text.PromptEncoder;
import io.headrace.media.text.prompt.Prompt;
import io.headrace.media.text.prompt.PromptReader;
import io.headrace.media.video.VideoFile;
import io.headrace.media.video.VideoProbe;
import io.headrace.media.video.decode.VideoDecoder;
import io.headrace.media.video.decode.VideoPart;
import io.headrace.media.video.decode.VideoParts;
import io.headrace.runtime.construct.decode.ThreadTime;
import io.headrace.runtime.construct.progress.SampleProgress;
import io.headrace.runtime.construct.shape.MediaProcessors;
import io.headrace.runtime.construct.shape.ModelForm;
import io.headrace.runtime.construct.shape.SamplePlace;
import io.headrace.runtime.construct.shape.StepTensors;
import io.headrace.runtime.load.Payloads;
import io.headrace.sources.read.PayloadBuffer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one decode thread owns: decoder, processor and scratch memory. Reads a sample's payloads, decodes its pictures straight into the
 * slot and encodes its text. Used by that thread alone.
 */
public final class SampleWorker implements AutoCloseable {

    /** A larger payload is refused: no picture within the pixel limit needs it. */
    private static final long MOST_PAYLOAD_BYTES = 1L << 30;

    /** Half a second: headers of mp3 and opus are off by so much. */
    private static final int LARGEST_DIFFERENCE = LogMel.SAMPLE_RATE / 2;

    private final int number;
    private final double decodeFactor;
    private final ProcessSpec process;
    private final Payloads payloads;
    private final ModelForm form;
    private final ImageDecoder decoder;
    private final MediaProcessors processors;
    private final VideoDecoder videoDecoder = new VideoDecoder();
    private final AudioDecoder audioDecoder = new AudioDecoder();
    private final @Nullable PromptEncoder prompts;
    private final PixelTensors pixels;
    private final RowTensors rows;
    private final PayloadBuffer buffer = new PayloadBuffer(MOST_PAYLOAD_BYTES);

    /**
     * What all workers of an engine share.
     *
     * @param decodeFactor how many times its CPU time each sample takes; 1 but for comparisons
     */
    public record Shared(
            ProcessSpec process,
            Payloads payloads,
            @Nullable PromptEncoder prompts,
            StepTensors tensors,
            double decodeFactor) {}

    /**
     * @param number of its thread, from 0
     */
    public SampleWorker(int number, Shared shared, MediaProcessors processors) {
        this.number = number;
        this.process = shared.process();
        this.payloads = shared.payloads();
        this.prompts = shared.prompts();
        this.pixels = new PixelTensors(shared.tensors());
        this.processors = processors;
        this.form = ModelForm.of(process.model());
        this.decoder = new ImageDecoder();
        this.decodeFactor = shared.decodeFactor();
        this.rows = new RowTensors(pixels.tensors(), prompts == null ? 0 : prompts.padId());
    }

    int number() {
        return number;
    }

    /** Takes the CPU time that a slower decoder would take besides, for work that began at a time of {@link ThreadTime}. */
    void slowDown(long sinceCpuNanos) {
        if (decodeFactor > 1) {
            double until = sinceCpuNanos + decodeFactor * (ThreadTime.nanos() - sinceCpuNanos);
            while (ThreadTime.nanos() < until) {
                Thread.onSpinWait();
            }
        }
    }

    RowTensors rows() {
        return rows;
    }

    PixelTensors pixels() {
        return pixels;
    }

    /** The encoded bytes of a part, in memory that holds until the next are loaded; tells the stage that follows. */
    private MemorySegment load(
            SamplePlace place, Part part, SampleProgress.Stage then, SampleProgress progress)
            throws BadPayload, IOException {
        progress.enter(SampleProgress.Stage.LOADING, part);
        MemorySegment encoded =
                payloads.read(place.placement().sample().source(), part.location(), buffer);
        progress.enter(then, part);
        return encoded;
    }

    /** Decodes the sample's pictures into their places. */
    void pictures(StepBuild build, SamplePlace place, SampleProgress progress)
            throws BadPayload, IOException {
        List<Part.Image> images = form.images(place.descriptor());
        for (int i = 0; i < images.size(); i++) {
            Part.Image image = images.get(i);
            MemorySegment encoded = load(place, image, SampleProgress.Stage.DECODING, progress);
            if (form == ModelForm.BUCKETS) {
                VideoLayout one = place.shape().videos().get(i);
                Window size = one.window();
                Picture picture = decoder.decode(encoded, options(size.width(), size.height()));
                checkSize(image, picture);
                frames().process(one, 0, picture, pixels.video(build.slot(), place, i));
                continue;
            }
            ImageLayout layout = place.shape().images().get(i);
            Picture picture =
                    decoder.decode(encoded, options(layout.resizedWidth(), layout.resizedHeight()));
            checkSize(image, picture);
            images().process(picture, layout, pixels.picture(build.slot(), place, i));
        }
        pixels.clearPadding(build.slot(), place);
    }

    /**
     * Decodes one share of the wanted frames of each of the sample's videos into their places. Shares are runs from key frame to key
     * frame of about the same work, so that several workers can fill one sample.
     *
     * @param share which one, from 0
     * @param shares how many there are
     */
    void videos(StepBuild build, SamplePlace place, int share, int shares, SampleProgress progress)
            throws BadPayload, IOException {
        List<Part.Video> videos = form.videos(place.descriptor());
        for (int i = 0; i < videos.size(); i++) {
            Part.Video video = videos.get(i);
            VideoLayout layout = place.shape().videos().get(i);
            MemorySegment encoded = load(place, video, SampleProgress.Stage.DECODING, progress);
            VideoFile file = VideoProbe.read(ByteView.of(encoded));
            checkSize(video, file);
            int[] wanted = layout.frames().toArray();
            List<VideoPart> parts = VideoParts.split(file.index(), wanted, shares);
            if (share < parts.size()) {
                MemorySegment out = pixels.video(build.slot(), place, i);
                videoDecoder.decode(
                        file,
                        encoded,
                        wanted,
                        parts.get(share),
                        process.maxImagePixels(),
                        (k, frame) -> frames().process(layout, k, frame, out));
            }
        }
    }

    /** Decodes the sample's recordings into their places. */
    void audios(StepBuild build, SamplePlace place, SampleProgress progress)
            throws BadPayload, IOException {
        List<Part.Audio> audios = form.audios(place.descriptor());
        for (int i = 0; i < place.shape().audios().size(); i++) {
            Part.Audio audio = audios.get(i);
            AudioLayout layout = place.shape().audios().get(i);
            MemorySegment encoded = load(place, audio, SampleProgress.Stage.DECODING, progress);
            int count =
                    audioDecoder.decode(
                            encoded, LogMel.SAMPLE_RATE, downmix(process.model()), LogMel.SAMPLES);
            if (Math.abs(count - layout.samples()) > LARGEST_DIFFERENCE) {
                throw new BadPayload(
                        BadPayload.Reason.CHANGED,
                        "The recording has %d samples at 16 kHz, its index says %d: prepare the source again"
                                .formatted(count, layout.samples()));
            }
            sounds().process(
                            audioDecoder.samples(),
                            count,
                            layout,
                            pixels.sound(build.slot(), place, i));
        }
    }

    private static ProcessSpec.Downmix downmix(ProcessSpec.Model model) {
        return switch (model) {
            case ProcessSpec.Model.Whisper(_, ProcessSpec.Downmix downmix) -> downmix;
            case ProcessSpec.Model.Qwen2Audio(ProcessSpec.Downmix downmix) -> downmix;
            default -> throw new IllegalStateException("The model takes no audio: " + model);
        };
    }

    private AudioProcessor sounds() {
        return Objects.requireNonNull(processors.audios(), "a model without audio");
    }

    private ImageProcessor images() {
        return Objects.requireNonNull(processors.images(), "a model without pictures");
    }

    private VideoProcessor frames() {
        return Objects.requireNonNull(processors.videos(), "a model without videos");
    }

    private static void checkSize(Part.Video video, VideoFile file) throws BadPayload {
        if (file.width() != video.width()
                || file.height() != video.height()
                || file.index().size() != video.frames()) {
            throw new BadPayload(
                    BadPayload.Reason.CHANGED,
                    "The video is %d x %d with %d frames, its index says %d x %d with %d: prepare the source again"
                            .formatted(
                                    file.width(),
                                    file.height(),
                                    file.index().size(),
                                    video.width(),
                                    video.height(),
                                    video.frames()));
        }
    }

    private DecodeOptions options(int width, int height) {
        DecodeOptions full =
                new DecodeOptions(
                        process.applyOrientation(),
                        process.alpha(),
                        process.maxImagePixels(),
                        0,
                        0);
        return switch (process.quality()) {
            case EXACT -> full;
            case FAST -> full.fast(width, height);
        };
    }

    private void checkSize(Part.Image image, Picture picture) throws BadPayload {
        boolean upright = process.applyOrientation();
        int width = upright ? image.uprightWidth() : image.width();
        int height = upright ? image.uprightHeight() : image.height();
        boolean reduced = process.quality() == ProcessSpec.Quality.FAST;
        if (!reduced && (picture.width() != width || picture.height() != height)) {
            throw new BadPayload(
                    BadPayload.Reason.CHANGED,
                    "The picture is %d x %d, its index says %d x %d: prepare the source again"
                            .formatted(picture.width(), picture.height(), width, height));
        }
    }

    /** The sample's ids and labels, without text those of its pictures alone; null where the recipe has no tokenizer. */
    @Nullable EncodedText text(SamplePlace place, SampleProgress progress)
            throws BadPayload, IOException {
        if (prompts == null || place.texts().isEmpty()) {
            return maskedText(place);
        }
        List<MediaSize> sizes = place.shape().sizes();
        Prompt prompt = prompt(place, progress);
        int limit = Math.min(process.text().maxTokens(), Math.max(1, place.tokens()));
        EncodedText text =
                prompts.encode(prompt, sizes, exact(place) ? limit : process.text().maxTokens());
        if (exact(place) && text.lengthTokens() != place.tokens()) {
            throw new BadPayload(
                    BadPayload.Reason.CHANGED,
                    "The text has %d tokens, its index says %d: prepare the source again"
                            .formatted(text.lengthTokens(), place.tokens()));
        }
        return text;
    }

    private static boolean exact(SamplePlace place) {
        return place.texts().stream().allMatch(Part.Text::exact);
    }

    private Prompt prompt(SamplePlace place, SampleProgress progress)
            throws BadPayload, IOException {
        Part.Text part = place.texts().getFirst();
        MemorySegment payload = load(place, part, SampleProgress.Stage.TOKENIZING, progress);
        return PromptReader.read(
                payload.toArray(ValueLayout.JAVA_BYTE), part.codec(), part.selector());
    }

    /** What stands in the row of a sample that is masked or has no text: its pictures' places, and padding. */
    @Nullable EncodedText maskedText(SamplePlace place) {
        return prompts == null ? null : prompts.masked(place.tokens(), place.shape().sizes());
    }

    @Override
    public void close() {
        decoder.close();
        videoDecoder.close();
    }
}
