package io.headrace.media.decode;

import io.headrace.media.decode.NativeLibrary.Step;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds one native library: the file named by a system property or an environment variable, then the system's, then the one that the
 * caller takes out of a jar. The first one that loads and is accepted wins; one that does not is logged and passed over.
 */
public final class NativeSearch {
    private static final Logger LOG = LoggerFactory.getLogger(NativeSearch.class);

    private final String name;
    private final String soname;
    private final Predicate<NativeLibrary> accepted;

    /**
     * @param name such as {@code turbojpeg}; the property is {@code headrace.turbojpeg}, the variable {@code HEADRACE_TURBOJPEG}
     * @param soname name by which the system's loader finds it
     * @param accepted whether a loaded library is complete and new enough
     */
    public NativeSearch(String name, String soname, Predicate<NativeLibrary> accepted) {
        this.name = name;
        this.soname = soname;
        this.accepted = accepted;
    }

    /** The library of the first two steps; the one inside a jar is the caller's. */
    public Optional<NativeLibrary> find() {
        return explicit().or(() -> load(Step.SYSTEM, soname));
    }

    private Optional<NativeLibrary> explicit() {
        String property = System.getProperty("headrace." + name);
        String path =
                property != null
                        ? property
                        : System.getenv("HEADRACE_" + name.toUpperCase(Locale.ROOT));
        return path == null || path.isBlank()
                ? Optional.empty()
                : load(Step.EXPLICIT, Path.of(path).toAbsolutePath().toString());
    }

    /** Loads by path or by the name that the system's loader knows. */
    @SuppressWarnings("restricted")
    public Optional<NativeLibrary> load(Step step, String pathOrName) {
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
