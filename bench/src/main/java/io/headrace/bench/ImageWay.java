package io.headrace.bench;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.recipe.ProcessSpec;
import io.headrace.engine.recipe.ProcessSpec.Alpha;
import io.headrace.engine.recipe.ProcessSpec.Model;
import io.headrace.engine.recipe.ProcessSpec.Quality;
import io.headrace.engine.recipe.ProcessSpec.Template;
import io.headrace.engine.recipe.ProcessSpec.TextSpec;
import io.headrace.engine.recipe.ProcessSpec.Wire;
import io.headrace.media.decode.DecodeOptions;
import io.headrace.media.decode.ImageDecoder;
import io.headrace.media.decode.Picture;
import io.headrace.media.probe.ByteView;
import io.headrace.media.probe.ImageHeader;
import io.headrace.media.probe.ImageProbe;
import io.headrace.media.process.ImageLayout;
import io.headrace.media.process.ImageProcessor;
import io.headrace.media.process.ImageProcessors;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/** The whole way of a picture, from its encoded bytes to its tensor, for one model. Not thread-safe. */
final class ImageWay implements AutoCloseable {
    private static final long MOST_PIXELS = 1 << 28;

    private final ImageDecoder decoder = new ImageDecoder();
    private final ImageProbe probe = new ImageProbe();
    private final ImageProcessor processor;
    private final ProcessSpec spec;

    /** How far `fast` may reduce; 0: as the engine does. */
    private final double margin;

    /** Of a model with its numbers such as {@code qwen2_5_vl:3136:1003520}, and pictures whose alpha is composed onto white. */
    static ImageWay of(String model, String wire, String quality) {
        return of(model, wire, quality, "white");
    }

    /**
     * The same for any treatment of alpha.
     *
     * @param quality {@code exact}, {@code fast}, or {@code fast:M}: reduced down to M times the resized size and not further
     */
    static ImageWay of(String model, String wire, String quality, String alpha) {
        String[] parts = quality.split(":", -1);
        double margin = parts.length > 1 ? Double.parseDouble(parts[1]) : 0;
        return new ImageWay(spec(model, wire, parts[0], alpha), margin);
    }

    private ImageWay(ProcessSpec spec, double margin) {
        this.spec = spec;
        this.margin = margin;
        this.processor = ImageProcessors.create(spec);
    }

    private static ProcessSpec spec(String model, String wire, String quality, String alpha) {
        return new ProcessSpec(
                model(model.split(":", -1)),
                Quality.valueOf(upper(quality)),
                Wire.valueOf(upper(wire)),
                Alpha.valueOf(upper(alpha)),
                true,
                MOST_PIXELS,
                new TextSpec(null, Template.PLAIN, 1));
    }

    private static Model model(String[] parts) {
        return switch (parts[0]) {
            case "clip" -> new Model.Clip(number(parts, 1, 224));
            case "siglip" -> new Model.Siglip(number(parts, 1, 384));
            case "llava_onevision" -> new Model.LlavaOnevision(number(parts, 1, 32));
            case "siglip2" -> new Model.Siglip2(number(parts, 1, 16), number(parts, 2, 256));
            case "qwen2_5_vl" ->
                    new Model.Qwen25Vl(
                            number(parts, 1, 3136),
                            number(parts, 2, 12845056),
                            ProcessSpec.VideoSpec.QWEN2_5);
            case "qwen3_vl" ->
                    new Model.Qwen3Vl(
                            number(parts, 1, 65536),
                            number(parts, 2, 16777216),
                            ProcessSpec.VideoSpec.QWEN3);
            case "internvl" -> new Model.InternVl(number(parts, 1, 12));
            default -> throw new IllegalArgumentException("Unknown model: " + parts[0]);
        };
    }

    private static int number(String[] parts, int at, int otherwise) {
        return at < parts.length ? Integer.parseInt(parts[at]) : otherwise;
    }

    private static String upper(String name) {
        return name.toUpperCase(Locale.ROOT);
    }

    ProcessSpec spec() {
        return spec;
    }

    /** Sizes of the tensor, from the picture's header. */
    ImageLayout layout(MemorySegment encoded) throws BadPayload, IOException {
        ImageHeader header = probe.header(ByteView.of(encoded));
        boolean swaps = header.orientation().swapsSides();
        return processor.layout(
                swaps ? header.height() : header.width(), swaps ? header.width() : header.height());
    }

    /** Bytes of the tensor. */
    long bytes(ImageLayout layout) {
        int size =
                switch (spec.wire()) {
                    case FLOAT32 -> Float.BYTES;
                    case BFLOAT16 -> Short.BYTES;
                    case UINT8 -> Byte.BYTES;
                };
        return layout.elements() * size;
    }

    /** Decodes and processes into {@code out}. */
    void run(MemorySegment encoded, ImageLayout layout, MemorySegment out) throws BadPayload {
        DecodeOptions exact = DecodeOptions.exact(spec.alpha(), spec.maxImagePixels());
        DecodeOptions options =
                switch (spec.quality()) {
                    case EXACT -> exact;
                    case FAST -> fast(exact, layout.resizedWidth(), layout.resizedHeight());
                };
        Picture picture = decoder.decode(encoded, options);
        processor.process(picture, layout, out);
    }

    private DecodeOptions fast(DecodeOptions exact, int width, int height) {
        return margin == 0
                ? exact.fast(width, height)
                : exact.atLeast((int) Math.ceil(margin * width), (int) Math.ceil(margin * height));
    }

    @Override
    public void close() {
        decoder.close();
    }
}
