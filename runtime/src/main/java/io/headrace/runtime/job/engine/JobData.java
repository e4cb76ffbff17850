package io.headrace.runtime.job.engine;

import io.headrace.engine.recipe.Recipe;
import io.headrace.sources.read.PayloadReader;
import io.headrace.sources.read.ReadAccess;
import io.headrace.sources.read.SourceReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * The data of a recipe, opened: indexes, vocabulary, and what the readers of all sources share.
 *
 * @param threads runs guarded reads: platform threads named {@code headrace-read-N}, as many as the readers' limits allow
 */
record JobData(
        Recipe recipe,
        IndexedSources sources,
        Vocabulary vocabulary,
        ReadAccess access,
        ExecutorService threads)
        implements AutoCloseable {

    /**
     * Opens the data of a recipe.
     *
     * @param spillFolder holds decompressed bytes, in files without a name
     */
    static JobData open(Recipe recipe, Path spillFolder) throws IOException {
        IndexedSources sources = IndexedSources.open(recipe);
        try {
            Vocabulary vocabulary = Vocabulary.open(recipe);
            ExecutorService threads =
                    Executors.newCachedThreadPool(
                            Thread.ofPlatform().name("headrace-read-", 0).daemon().factory());
            return new JobData(
                    recipe,
                    sources,
                    vocabulary,
                    new ReadAccess(
                            ReadAccess.Limits.DEFAULT, spillFolder, threads, System::nanoTime),
                    threads);
        } catch (IOException e) {
            sources.close();
            throw e;
        }
    }

    /** What opens the reader of each source. */
    List<Supplier<PayloadReader>> readers() {
        List<Supplier<PayloadReader>> readers = new ArrayList<>();
        for (int source = 0; source < sources.sources(); source++) {
            int opened = source;
            readers.add(() -> new SourceReader(recipe.folder(), sources.index(opened), access));
        }
        return readers;
    }

    @Override
    public void close() throws IOException {
        access.close();
        threads.shutdownNow();
        vocabulary.close();
        sources.close();
    }
}
