package io.headrace.runtime.prepare;

/** Is told how far a run has come. Called by many threads. */
public interface PrepareProgress {

    /** Tells nobody. */
    PrepareProgress SILENT =
            new PrepareProgress() {
                @Override
                public void begin(String source, int shards, int shardsKnown, long bytes) {}

                @Override
                public void advance(long shardBytes, long samples) {}

                @Override
                public void end(SourceReport report) {}
            };

    /**
     * A source is begun.
     *
     * @param shards all shards of it
     * @param shardsKnown those that need no scan
     * @param bytes size of the shards to scan
     */
    void begin(String source, int shards, int shardsKnown, long bytes);

    /** So much more has been scanned. */
    void advance(long shardBytes, long samples);

    /** A source is done. */
    void end(SourceReport report);
}
