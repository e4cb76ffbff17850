package io.headrace.media.decode;

import io.headrace.engine.descriptor.Codec;
import io.headrace.media.decode.NativeLibrary.Step;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.bytedeco.ffmpeg.global.avutil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which library decodes which format on this machine; found once for the process, at first use. */
public final class NativeLibraries {
    private static final Logger LOG = LoggerFactory.getLogger(NativeLibraries.class);
    private static final String BUNDLED_TURBOJPEG = "libturbojpeg.so";

    /** What {@link TurboJpeg} binds; named here, since that class loads only where the library is there. */
    private static final String[] TURBOJPEG_FUNCTIONS = {
        "tjInitDecompress",
        "tjDecompressHeader3",
        "tjDecompress2",
        "tjGetErrorStr2",
        "tjGetErrorCode",
        "tjDestroy"
    };

    private NativeLibraries() {}

    /**
     * One line of {@link #report()}.
     *
     * @param library what decodes the format, with its path where it is a file
     * @param bitEqual whether pictures come out with the bits that Pillow gives
     */
    public record Service(Codec codec, String library, boolean bitEqual) {}

    private static final class TurboJpegHolder {
        static final Optional<NativeLibrary> FOUND = findTurboJpeg();
    }

    /** The TurboJPEG library; empty if there is none for this machine. */
    static Optional<NativeLibrary> turboJpeg() {
        return TurboJpegHolder.FOUND;
    }

    private static Optional<NativeLibrary> findTurboJpeg() {
        NativeSearch search =
                new NativeSearch(
                        "turbojpeg",
                        "libturbojpeg.so.0",
                        library -> library.has(TURBOJPEG_FUNCTIONS));
        return search.find().or(() -> bundledTurboJpeg(search));
    }

    private static Optional<NativeLibrary> bundledTurboJpeg(NativeSearch search) {
        if (!System.getProperty("os.arch").equals("amd64")) {
            return Optional.empty();
        }
        try {
            return BundledLibrary.extract(BUNDLED_TURBOJPEG)
                    .map(Path::toString)
                    .flatMap(path -> search.load(Step.BUNDLED, path));
        } catch (IOException e) {
            LOG.warn("The bundled {} cannot be extracted: {}", BUNDLED_TURBOJPEG, e.toString());
            return Optional.empty();
        }
    }

    /** For each picture format: what decodes it here, and whether the bits are those of the reference. */
    public static List<Service> report() {
        String ffmpeg = "FFmpeg %s".formatted(avutil.av_version_info().getString());
        return List.of(
                turboJpeg()
                        .map(NativeLibraries::service)
                        .orElse(new Service(Codec.JPEG, "none: see docs/decoding.md", false)),
                new Service(Codec.PNG, "Headrace", true),
                new Service(Codec.WEBP, ffmpeg + " (VP8, VP8L), colours by Headrace", true),
                new Service(Codec.GIF, "Headrace", true),
                new Service(Codec.BMP, "Headrace", true),
                new Service(Codec.TIFF, "Headrace", true),
                new Service(Codec.AVIF, ffmpeg + " (libaom), colours by Headrace", true));
    }

    private static Service service(NativeLibrary turboJpeg) {
        String how =
                switch (turboJpeg.how()) {
                    case EXPLICIT -> "named by the user";
                    case SYSTEM -> "of the system";
                    case BUNDLED -> "of the package";
                };
        return new Service(
                Codec.JPEG, "libjpeg-turbo %s, %s".formatted(how, turboJpeg.where()), true);
    }
}
