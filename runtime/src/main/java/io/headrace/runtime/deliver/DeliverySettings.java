package io.headrace.runtime.deliver;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How ranks reach the engine.
 *
 * @param socket Unix socket in a folder that is its user's alone
 * @param tcp where ranks of other hosts come in, if any
 * @param longestWait how long one request may wait for its step before it is answered with what it waits for
 * @param clientGrace how long the engine outlives its last rank; empty: for ever
 * @param starter the rank that started the engine, as its requests name it; if it dies before any rank came, the engine waits no longer
 *     than {@code clientGrace} for another
 */
public record DeliverySettings(
        Path socket,
        Optional<Tcp> tcp,
        Duration longestWait,
        Optional<Duration> clientGrace,
        Optional<String> starter) {
    /** Short enough that a dead client's request is forgotten soon, long enough to cost nothing. */
    public static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    /** A started engine that no rank reaches within this time ends as well. */
    public static final Duration FIRST_CLIENT_GRACE = Duration.ofSeconds(60);

    /** The Unix socket alone, for an engine that lives until it is told to stop. */
    public static DeliverySettings local(Path socket) {
        return new DeliverySettings(
                socket, Optional.empty(), LONGEST_WAIT, Optional.empty(), Optional.empty());
    }

    public DeliverySettings withClientGrace(Duration grace) {
        return new DeliverySettings(socket, tcp, longestWait, Optional.of(grace), starter);
    }

    public DeliverySettings withTcp(String host, int port, String token) {
        return new DeliverySettings(
                socket, Optional.of(new Tcp(host, port, token)), longestWait, clientGrace, starter);
    }

    public DeliverySettings withLongestWait(Duration wait) {
        return new DeliverySettings(socket, tcp, wait, clientGrace, starter);
    }

    public DeliverySettings withStarter(String client) {
        return new DeliverySettings(socket, tcp, longestWait, clientGrace, Optional.of(client));
    }

    /**
     * A TCP port for bodies.
     *
     * @param port 0: any free one
     * @param token secret that every request carries as {@code Authorization: Bearer TOKEN}
     */
    public record Tcp(String host, int port, String token) {
        private static final int SHORTEST_TOKEN = 16;

        public Tcp {
            if (token.length() < SHORTEST_TOKEN) {
                throw new IllegalArgumentException(
                        "The token has %d characters, at least %d are needed"
                                .formatted(token.length(), SHORTEST_TOKEN));
            }
        }

        @Override
        public String toString() {
            return "Tcp[" + host + ":" + port + "]";
        }
    }
}
