package io.headrace.runtime.job.engine;

import com.typesafe.config.Config;
import io.headrace.engine.plan.Membership;
import io.headrace.engine.plan.Planner;
import io.headrace.engine.recipe.Topology;
import io.headrace.runtime.construct.ConstructorCommand;
import io.headrace.runtime.construct.ConstructorParts;
import io.headrace.runtime.construct.DataConstructor;
import io.headrace.runtime.job.planner.PlannerActor;
import io.headrace.runtime.job.planner.PlannerCommand;
import io.headrace.runtime.load.SourceLoader;
import io.headrace.sources.read.PayloadReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.SpawnProtocol;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The actor system of one engine and the roles in it. */
final class JobActors implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(JobActors.class);
    private static final Duration SPAWN_PATIENCE = Duration.ofSeconds(30);
    private static final long CLOSE_SECONDS = 10;

    private final ActorSystem<SpawnProtocol.Command> system;

    JobActors(Config config) {
        this.system = ActorSystem.create(SpawnProtocol.create(), "headrace", config);
    }

    ActorSystem<?> system() {
        return system;
    }

    ActorRef<PlannerCommand> planner(
            String job, Membership membership, Planner planner, Topology topology) {
        return spawn(
                "planner",
                replyTo ->
                        new SpawnProtocol.Spawn<>(
                                PlannerActor.of(job, membership, planner, topology),
                                "planner",
                                Props.empty(),
                                replyTo));
    }

    ActorRef<ConstructorCommand> constructor(ConstructorParts parts) {
        return spawn(
                "constructor",
                replyTo ->
                        new SpawnProtocol.Spawn<>(
                                DataConstructor.of(parts), "constructor", Props.empty(), replyTo));
    }

    /** One loader for each source, under the source's place in the recipe. */
    List<ActorRef<SourceLoader.Command>> loaders(List<Supplier<PayloadReader>> readers) {
        List<ActorRef<SourceLoader.Command>> loaders = new ArrayList<>();
        for (Supplier<PayloadReader> reader : readers) {
            String name = "loader-" + loaders.size();
            loaders.add(
                    spawn(
                            name,
                            replyTo ->
                                    new SpawnProtocol.Spawn<>(
                                            SourceLoader.of(reader),
                                            name,
                                            Props.empty(),
                                            replyTo)));
        }
        return loaders;
    }

    private <T> ActorRef<T> spawn(
            String role, Function<ActorRef<ActorRef<T>>, SpawnProtocol.Command> message) {
        try {
            return AskPattern.<SpawnProtocol.Command, ActorRef<T>>ask(
                            system, message::apply, SPAWN_PATIENCE, system.scheduler())
                    .toCompletableFuture()
                    .join();
        } catch (CompletionException e) {
            throw new IllegalStateException("The " + role + " did not start", e);
        }
    }

    @Override
    public void close() {
        system.terminate();
        try {
            system.getWhenTerminated().toCompletableFuture().get(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("the actors did not end within {} s", CLOSE_SECONDS);
        }
    }
}
