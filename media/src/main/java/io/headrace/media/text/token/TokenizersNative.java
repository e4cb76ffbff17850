package io.headrace.media.text.token;

import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;

/**
 * Loads the native tokenizers library out of its jar, once a process, on first use. The library's own loader is not used: it keeps a
 * cache in the home folder, starts {@code ldconfig} and may call home. The copy in the temporary folder is gone when {@code load} ends.
 */
final class TokenizersNative {

    private static boolean loaded;

    private TokenizersNative() {}

    @SuppressWarnings("restricted")
    static synchronized void load() throws IOException {
        if (loaded) {
            return;
        }
        String resource =
                resource(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
        try (InputStream in = TokenizersLibrary.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IOException(
                        "The tokenizers jar has no library for this machine: " + resource);
            }
            Path copy = Files.createTempFile("headrace-tokenizers", ".so");
            try {
                Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
                System.load(copy.toString());
            } catch (UnsatisfiedLinkError e) {
                throw new IOException(
                        "Cannot load " + resource + " from " + copy + ": " + e.getMessage(), e);
            } finally {
                Files.deleteIfExists(copy);
            }
        }
        loaded = true;
    }

    /** Name of the library inside the jar for an operating system and an architecture as Java names them. */
    static String resource(String os, String arch) {
        boolean mac = os.toLowerCase(Locale.ROOT).startsWith("mac");
        String cpu = arch.equals("amd64") ? "x86_64" : arch;
        return "/native/lib/%s-%s/cpu/libtokenizers.%s"
                .formatted(mac ? "osx" : "linux", cpu, mac ? "dylib" : "so");
    }
}
