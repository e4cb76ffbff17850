package io.headrace.runtime.deliver;

import io.headrace.runtime.deliver.latency.ThreadShare;
import io.headrace.runtime.deliver.report.JobHistory;
import io.headrace.runtime.deliver.slot.SlotPool;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.unixdomain.server.UnixDomainServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP interface of the ranks on a Unix socket, and on TCP if asked for.
 *
 * <p>Threads: a few of Jetty's own, a virtual one for each request that may block, and the watch, a virtual thread that takes back the
 * leases of dead processes and tells when the last rank is gone.
 */
public final class DeliveryServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryServer.class);
    private static final String TCP_NAME = "tcp";
    private static final int JETTY_THREADS = 16;

    /** A ready step is answered on the thread that selects its connection, so ranks that ask at once are answered side by side. */
    private static final int SELECTORS = 4;

    private static final long WATCH_PERIOD_MILLIS = 200;

    /** Never: a rank may compute for hours between two requests, and a dead one closes its socket. */
    private static final long NO_IDLE_TIMEOUT = -1;

    /** A host that vanished closes nothing: its connection is given up after a day. */
    private static final long TCP_IDLE_TIMEOUT_MILLIS = 86_400_000;

    private static final long STOP_TIMEOUT_MILLIS = 1000;

    private final DeliverySettings settings;
    private final Server server;
    private final LeaseTable leases = new LeaseTable();
    private final Clients clients;
    private final DeliveryMetrics metrics;
    private final Runnable deserted;
    private final Thread watch;
    private Object socketInode = -1L;

    private DeliveryServer(
            DeliverySettings settings,
            StepStore store,
            SlotPool pool,
            PrometheusRegistry registry,
            JobHistory history,
            Runnable deserted) {
        LongSupplier nanoClock = System::nanoTime;
        this.settings = settings;
        this.deserted = deserted;
        this.clients = new Clients(nanoClock);
        this.metrics = new DeliveryMetrics(registry, pool, leases::size);
        List<RankClock> clocks =
                Stream.generate(RankClock::new).limit(store.job().ranks()).toList();
        StepRoute steps =
                new StepRoute(store, leases, clocks, metrics, settings.longestWait(), nanoClock);
        this.server = jetty(new Routes(store, pool, steps, history, metrics, clients));
        this.watch = Thread.ofVirtual().name("delivery-watch").unstarted(this::watch);
    }

    /**
     * Starts to listen.
     *
     * @param history what the decode pool has done lately
     * @param deserted called once when the last rank has been gone for the settings' grace time
     * @throws IOException if the socket cannot be made: the message names the path and the reason
     */
    public static DeliveryServer start(
            DeliverySettings settings,
            StepStore store,
            SlotPool pool,
            PrometheusRegistry registry,
            JobHistory history,
            Runnable deserted)
            throws IOException {
        SocketFolder.prepare(settings.socket());
        DeliveryServer delivery =
                new DeliveryServer(settings, store, pool, registry, history, deserted);
        try {
            delivery.server.start();
        } catch (Exception e) {
            throw new IOException("Cannot listen on " + settings.socket() + ": " + e, e);
        }
        delivery.publish();
        delivery.watch.start();
        LOG.info("Ranks are served on {}", settings.socket());
        return delivery;
    }

    /** Gives the socket its mode, then its name. */
    private void publish() throws IOException {
        Path made = SocketFolder.unpublished(settings.socket());
        Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rw-------"));
        socketInode = Files.getAttribute(made, "unix:ino");
        Files.move(made, settings.socket(), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Removes the socket while it still listens, unless another engine has put its own there. */
    private void withdraw() throws IOException {
        if (Files.exists(settings.socket())
                && Files.getAttribute(settings.socket(), "unix:ino").equals(socketInode)) {
            Files.deleteIfExists(settings.socket());
        }
    }

    private Server jetty(Handler routes) {
        QueuedThreadPool threads =
                new QueuedThreadPool(JETTY_THREADS) {
                    @Override
                    public Thread newThread(Runnable work) {
                        return super.newThread(
                                () -> {
                                    ThreadShare.answerSoon();
                                    work.run();
                                });
                    }
                };
        threads.setName("delivery");
        threads.setDaemon(true);
        Server jetty = new Server(threads);
        jetty.setStopTimeout(STOP_TIMEOUT_MILLIS);
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setSendDateHeader(false);
        UnixDomainServerConnector unix =
                new UnixDomainServerConnector(jetty, 1, SELECTORS, new HttpConnectionFactory(http));
        unix.setUnixDomainPath(SocketFolder.unpublished(settings.socket()));
        unix.setIdleTimeout(NO_IDLE_TIMEOUT);
        unix.addBean(closing());
        jetty.addConnector(unix);
        settings.tcp().ifPresent(tcp -> jetty.addConnector(tcp(jetty, http, tcp)));
        jetty.setHandler(
                settings.tcp()
                        .<Handler>map(tcp -> new TokenCheck(tcp.token(), routes))
                        .orElse(routes));
        return jetty;
    }

    private ServerConnector tcp(Server jetty, HttpConfiguration http, DeliverySettings.Tcp tcp) {
        ServerConnector connector =
                new ServerConnector(jetty, 1, 1, new HttpConnectionFactory(http));
        connector.setName(TCP_NAME);
        connector.setHost(tcp.host());
        connector.setPort(tcp.port());
        connector.setIdleTimeout(TCP_IDLE_TIMEOUT_MILLIS);
        connector.addBean(closing());
        return connector;
    }

    private Connection.Listener closing() {
        return new Connection.Listener() {
            @Override
            public void onClosed(Connection connection) {
                metrics.tookBack(leases.takeBack(connection));
                clients.closed(connection);
            }
        };
    }

    /** Loop of the watch thread. */
    private void watch() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                TimeUnit.MILLISECONDS.sleep(WATCH_PERIOD_MILLIS);
                metrics.tookBack(leases.takeBackOfDeadProcesses());
                if (settings.clientGrace().isPresent()
                        && clients.deserted(
                                settings.clientGrace().get(),
                                firstGrace(settings.clientGrace().get()))) {
                    LOG.info("The last rank is gone");
                    deserted.run();
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Duration firstGrace(Duration grace) {
        boolean starterIsGone =
                settings.starter().flatMap(ClientId::parse).map(ClientId::isGone).orElse(false);
        return starterIsGone ? grace : DeliverySettings.FIRST_CLIENT_GRACE;
    }

    public Path socket() {
        return settings.socket();
    }

    /** The TCP port that was opened; -1 if none. */
    public int tcpPort() {
        for (org.eclipse.jetty.server.Connector connector : server.getConnectors()) {
            if (connector instanceof ServerConnector tcp) {
                return tcp.getLocalPort();
            }
        }
        return -1;
    }

    public int openLeases() {
        return leases.size();
    }

    /** Stops listening, takes all leases back and removes the socket. */
    @Override
    public void close() {
        watch.interrupt();
        try {
            withdraw();
            server.stop();
        } catch (Exception e) {
            LOG.warn("The delivery server did not stop in good order", e);
        } finally {
            metrics.tookBack(leases.takeBackAll());
        }
    }
}
