package io.headrace.app.cli;

import io.headrace.engine.recipe.Recipe;
import io.headrace.engine.recipe.SourceSpec;
import io.headrace.runtime.prepare.Prepare;
import io.headrace.runtime.prepare.PrepareProgress;
import io.headrace.runtime.prepare.PrepareSettings;
import io.headrace.runtime.prepare.SourceReport;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings the indexes of a recipe up to date before a command uses them; whole ones of unchanged shards are taken as they are. */
final class Indexes {
    private static final Logger LOG = LoggerFactory.getLogger(Indexes.class);

    private Indexes() {}

    /** Prepares what is missing or stale, and says so in the log. */
    static void bringUpToDate(Recipe recipe) throws IOException {
        List<SourceSpec> used = recipe.usedSources();
        try {
            for (SourceReport report :
                    new Prepare(PrepareSettings.of(recipe), PrepareProgress.SILENT).run(used)) {
                if (report.shardsScanned() > 0) {
                    LOG.info(
                            "source {}: indexed {} samples of {} shards in {} s",
                            report.source(),
                            report.samples(),
                            report.shardsScanned(),
                            String.format(Locale.ROOT, "%.2f", report.nanos() / 1e9));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Stopped while preparing");
        }
    }
}
