package io.headrace.runtime.load;

import io.headrace.sources.read.PayloadReader;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.jspecify.annotations.Nullable;

/**
 * The Source Loader of one source: holds the source's file-access state, once for the whole job, and opens it when a plan first needs it,
 * so a source of weight zero is never opened. Payload does not pass through it: whoever reads asks it once for the reader.
 *
 * <p>Runs on the actor's thread, which owns the reader's life; the reader itself may be used by any thread.
 */
public final class SourceLoader extends AbstractBehavior<SourceLoader.Command> {

    private final Supplier<PayloadReader> opening;
    private @Nullable PayloadReader reader;

    /** What a loader is asked. */
    public sealed interface Command {

        /** Asks for the reader; opens the source if it is not open. */
        record Open(ActorRef<Opened> replyTo) implements Command {}
    }

    /** The reader of a source. */
    public record Opened(PayloadReader reader) {}

    private SourceLoader(ActorContext<Command> context, Supplier<PayloadReader> opening) {
        super(context);
        this.opening = opening;
    }

    /**
     * The behavior of a source's loader.
     *
     * @param opening opens the source's file-access state
     */
    public static Behavior<Command> of(Supplier<PayloadReader> opening) {
        return Behaviors.setup(context -> new SourceLoader(context, opening));
    }

    @Override
    public Receive<Command> createReceive() {
        return newReceiveBuilder().onMessage(Command.Open.class, this::open).build();
    }

    private Behavior<Command> open(Command.Open open) {
        PayloadReader ready = reader;
        if (ready == null) {
            ready = opening.get();
            reader = ready;
        }
        open.replyTo().tell(new Opened(ready));
        return this;
    }
}
