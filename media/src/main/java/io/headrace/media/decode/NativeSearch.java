package io.headrace.media.decode;

import io.headrace.media.decode.NativeLibrary.Step;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds one native library: the file named by a system property or environment variable, then a file of a folder of
 * {@code headrace.natives} (where the launcher names the libraries inside a Python wheel), then the system's, then the one inside a
 * jar. The first one that loads and is accepted wins; one that does not is logged and passed over.
 */
final class NativeSearch {
    private static final Logger LOG = LoggerFactory.getLogger(NativeSearch.class);
    private static final String FOLDERS_PROPERTY = "headrace.natives";

    private final String name;
    private final String soname;
    private final Predicate<NativeLibrary> accepted;

    /**
     * @param name such as {@code turbojpeg}; the property is {@code headrace.turbojpeg}, the variable {@code HEADRACE_TURBOJPEG}
     * @param soname name by which the system's loader finds it
     * @param accepted whether a loaded library is complete and new enough
     */
    NativeSearch(String name, String soname, Predicate<NativeLibrary> accepted) {
        this.name = name;
        this.soname = soname;
        this.accepted = accepted;
    }

    /** The library of the first three steps. */
    Optional<NativeLibrary> find() {
        return explicit().or(this::inFolders).or(() -> load(Step.SYSTEM, soname));
    }

    private Optional<NativeLibrary> explicit() {
        String property = System.getProperty("headrace." + name);
        String path =
                property != null
                        ? property
                        : System.getenv("HEADRACE_" + name.toUpperCase(java.util.Locale.ROOT));
        return path == null || path.isBlank()
                ? Optional.empty()
                : load(Step.EXPLICIT, Path.of(path).toAbsolutePath().toString());
    }

    private Optional<NativeLibrary> inFolders() {
        for (String folder : System.getProperty(FOLDERS_PROPERTY, "").split(File.pathSeparator)) {
            for (Path file : files(folder)) {
                Optional<NativeLibrary> found = load(Step.WHEEL, file.toString());
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    /** Files such as {@code libwebp.so.7} or, as wheels have them, {@code libwebp-51b0b3f7.so.7.2.0}. */
    private List<Path> files(String folder) {
        if (folder.isBlank()) {
            return List.of();
        }
        List<Path> files = new ArrayList<>();
        try (Stream<Path> entries = Files.list(Path.of(folder).toAbsolutePath())) {
            entries.filter(
                            file ->
                                    file.getFileName()
                                            .toString()
                                            .matches(
                                                    "lib"
                                                            + name
                                                            + "(-[0-9a-f]+)?\\.so(\\.[0-9.]+)?"))
                    .sorted()
                    .forEach(files::add);
        } catch (IOException e) {
            LOG.warn(
                    "Folder {} of {} cannot be listed: {}", folder, FOLDERS_PROPERTY, e.toString());
        }
        return files;
    }

    /** Loads by path or by the name that the system's loader knows. */
    @SuppressWarnings("restricted")
    Optional<NativeLibrary> load(Step step, String pathOrName) {
        try {
            SymbolLookup symbols =
                    pathOrName.startsWith("/")
                            ? SymbolLookup.libraryLookup(Path.of(pathOrName), Arena.global())
                            : SymbolLookup.libraryLookup(pathOrName, Arena.global());
            NativeLibrary library = new NativeLibrary(symbols, pathOrName, step);
            if (accepted.test(library)) {
                return Optional.of(library);
            }
            LOG.info("Library {} is incomplete or too old and not used", pathOrName);
        } catch (IllegalArgumentException missing) {
            if (step != Step.SYSTEM) {
                LOG.warn("Library {} cannot be loaded: {}", pathOrName, missing.getMessage());
            }
        }
        return Optional.empty();
    }
}
