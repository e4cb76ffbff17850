package io.headrace.app.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/** The version of the build, and the Java that runs it. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
        return new String[] {
            "headrace " + build(),
            "Java " + Runtime.version() + ", " + property("os.name") + " " + property("os.arch")
        };
    }

    /** Such as 0.1.0. */
    static String build() throws IOException {
        try (InputStream in = Version.class.getResourceAsStream("version.txt")) {
            byte[] text = Objects.requireNonNull(in, "version.txt").readAllBytes();
            return new String(text, StandardCharsets.UTF_8).strip();
        }
    }

    private static String property(String name) {
        return System.getProperty(name, "unknown");
    }
}
