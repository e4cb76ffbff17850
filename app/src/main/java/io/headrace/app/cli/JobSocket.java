package io.headrace.app.cli;

import com.sun.security.auth.module.UnixSystem;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the socket of a job lies: the same rule as in the Python client. */
final class JobSocket {

    /** Longest path of a Unix socket on Linux, in bytes, without the final zero. */
    private static final int LONGEST_BYTES = 107;

    private static final int JOB_NAME_BYTES = 40;

    private JobSocket() {}

    static Path of(String job) {
        return folder().resolve(job + ".sock");
    }

    /** {@code $XDG_RUNTIME_DIR/headrace}, or {@code /tmp/headrace-UID}. */
    static Path folder() {
        String runtime = System.getenv("XDG_RUNTIME_DIR");
        if (runtime != null && !runtime.isEmpty() && Files.isWritable(Path.of(runtime))) {
            Path own = Path.of(runtime, "headrace");
            if (own.toString().length() + JOB_NAME_BYTES <= LONGEST_BYTES) {
                return own;
            }
        }
        return Path.of("/tmp/headrace-" + new UnixSystem().getUid());
    }
}
