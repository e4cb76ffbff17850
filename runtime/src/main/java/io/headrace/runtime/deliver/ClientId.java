package io.headrace.runtime.deliver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The process of a rank, as its requests name it: {@code Headrace-Client: PID/START/NAMESPACE}, where START is the start time of
 * {@code /proc/PID/stat} in ticks, so that a process number that is used again is told apart, and NAMESPACE the inode of
 * {@code /proc/self/ns/pid}.
 */
record ClientId(long pid, long startTicks, long namespace) {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9})/(\\d{1,18})/(\\d{1,18})");
    private static final int START_FIELD_AFTER_NAME = 19;

    static Optional<ClientId> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        return matcher.matches()
                ? Optional.of(
                        new ClientId(
                                Long.parseLong(matcher.group(1)),
                                Long.parseLong(matcher.group(2)),
                                Long.parseLong(matcher.group(3))))
                : Optional.empty();
    }

    /** Whether the process has ended for certain; one that cannot be seen from here has not. */
    boolean isGone() {
        if (namespace != ownNamespace()) {
            return false;
        }
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return fields[0].equals("Z")
                    || Long.parseLong(fields[START_FIELD_AFTER_NAME]) != startTicks;
        } catch (IOException e) {
            return !Files.exists(Path.of("/proc/" + pid));
        }
    }

    private static long ownNamespace() {
        try {
            return (Long) Files.getAttribute(Path.of("/proc/self/ns/pid"), "unix:ino");
        } catch (IOException e) {
            return -1;
        }
    }
}
