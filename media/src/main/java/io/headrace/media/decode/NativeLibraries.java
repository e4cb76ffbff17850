package io.headrace.media.decode;

import io.headrace.engine.descriptor.Codec;
import io.headrace.media.decode.NativeLibrary.Step;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which library decodes which format on this machine; found once for the process, at first use. */
public final class NativeLibraries {
    private static final Logger LOG = LoggerFactory.getLogger(NativeLibraries.class);
    private static final String BUNDLED_TURBOJPEG = "libturbojpeg.so";

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
                        library -> library.has(TurboJpeg.FUNCTIONS));
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
        List<Service> services = new ArrayList<>();
        services.add(
                turboJpeg()
                        .map(
                                found ->
                                        new Service(
                                                Codec.JPEG,
                                                found.how() + " " + found.where(),
                                                true))
                        .orElse(new Service(Codec.JPEG, "none", false)));
        return services;
    }
}
