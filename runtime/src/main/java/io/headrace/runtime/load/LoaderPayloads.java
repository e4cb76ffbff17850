package io.headrace.runtime.load;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.Location;
import io.headrace.sources.read.PayloadBuffer;
import io.headrace.sources.read.PayloadReader;
import io.headrace.sources.read.ShardChanged;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Payloads of the Source Loaders of this host. A read that fails is tried again within a budget; one whose shard has changed is not,
 * since no offset of the index can be trusted then. Thread-safe.
 */
public final class LoaderPayloads implements Payloads {

    private static final Logger LOG = LoggerFactory.getLogger(LoaderPayloads.class);
    private static final Duration OPEN_PATIENCE = Duration.ofSeconds(60);

    /** Tries of one read; the pause doubles from the first one on, so a read is given up after about half a second. */
    private static final int TRIES = 4;

    private static final long FIRST_PAUSE_MILLIS = 50;

    private final ActorSystem<?> system;
    private final List<ActorRef<SourceLoader.Command>> loaders;
    private final AtomicReferenceArray<@Nullable PayloadReader> readers;
    private final LongAdder retries = new LongAdder();

    public LoaderPayloads(ActorSystem<?> system, List<ActorRef<SourceLoader.Command>> loaders) {
        this.system = system;
        this.loaders = List.copyOf(loaders);
        this.readers = new AtomicReferenceArray<>(loaders.size());
    }

    @Override
    public MemorySegment read(int source, Location location, PayloadBuffer buffer)
            throws BadPayload, IOException {
        try {
            return read(reader(source), location, buffer);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("The engine ends");
        }
    }

    private MemorySegment read(PayloadReader reader, Location location, PayloadBuffer buffer)
            throws BadPayload, IOException, InterruptedException {
        long pauseMillis = FIRST_PAUSE_MILLIS;
        for (int tried = 1; ; tried++) {
            try {
                return reader.read(location, buffer);
            } catch (ShardChanged e) {
                throw e;
            } catch (IOException e) {
                if (tried == TRIES) {
                    throw e;
                }
                retries.increment();
                LOG.warn("read {} of {} failed, trying again: {}", tried, TRIES, e.getMessage());
                Thread.sleep(pauseMillis);
                pauseMillis *= 2;
            }
        }
    }

    private PayloadReader reader(int source) throws IOException {
        PayloadReader reader = readers.get(source);
        if (reader == null) {
            reader = ask(source);
            readers.set(source, reader);
        }
        return reader;
    }

    private PayloadReader ask(int source) throws IOException {
        try {
            return AskPattern.<SourceLoader.Command, SourceLoader.Opened>ask(
                            loaders.get(source),
                            SourceLoader.Command.Open::new,
                            OPEN_PATIENCE,
                            system.scheduler())
                    .toCompletableFuture()
                    .join()
                    .reader();
        } catch (CompletionException e) {
            throw new IOException("Source " + source + " did not open", e.getCause());
        }
    }

    /** Reads that were tried again. */
    public long retries() {
        return retries.sum();
    }
}
