package io.headrace.runtime.prepare;

import io.headrace.engine.recipe.ErrorSpec;
import io.headrace.engine.recipe.SourceSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Prepares a folder of tars in a process of its own, one shard at a time, and tells on its output of each that is done. */
final class PrepareProcess {

    static final SourceSpec SOURCE =
            new SourceSpec("web", List.of("s-*.tar"), List.of("bmp"), List.of(), List.of(), "txt");

    private PrepareProcess() {}

    static PrepareSettings settings(Path folder) {
        return new PrepareSettings(
                folder,
                folder.resolve("idx"),
                null,
                ErrorSpec.Policy.MASK,
                new PrepareSettings.Limits(1, 1 << 20, Duration.ofSeconds(60)));
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        PrepareProgress telling =
                new PrepareProgress() {
                    @Override
                    public void begin(String source, int shards, int shardsKnown, long bytes) {}

                    @Override
                    public void advance(long shardBytes, long samples) {
                        System.out.println("shard");
                        System.out.flush();
                    }

                    @Override
                    public void end(SourceReport report) {}
                };
        new Prepare(settings(Path.of(args[0])), telling).run(List.of(SOURCE));
    }
}
