package io.headrace.runtime.deliver.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the kernel says of threads that were asked to give way. */
class ThreadShareTest {

    private static final int NICE_AFTER_NAME = 16;

    @Test
    void aThreadGivesWayAloneAndForItsLife() throws Exception {
        CompletableFuture<String> stat = new CompletableFuture<>();
        Thread thread =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    ThreadShare.giveWay();
                                    stat.complete(own());
                                });
        assertThat(nice(stat.get())).isEqualTo(10);
        assertThat(nice(own())).isZero();
        thread.join();
    }

    @Test
    void theCompilersOfTheJvmGiveWay() throws IOException {
        ThreadShare.compilersGiveWay();
        List<Integer> compilers = new ArrayList<>();
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            for (Path thread : threads.toList()) {
                String stat = stat(thread);
                if (stat.contains("(C1 Comp") || stat.contains("(C2 Comp")) {
                    compilers.add(nice(stat));
                }
            }
        }
        assertThat(compilers).isNotEmpty().containsOnly(10);
    }

    /** Empty for a thread that has ended. */
    private static String stat(Path thread) {
        try {
            return Files.readString(thread.resolve("stat"));
        } catch (IOException e) {
            return "";
        }
    }

    private static String own() {
        try {
            return Files.readString(Path.of("/proc/thread-self/stat"));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int nice(String stat) {
        return Integer.parseInt(
                stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[NICE_AFTER_NAME]);
    }
}
