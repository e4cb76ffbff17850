package io.headrace.runtime.deliver.latency;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a server that has just started the same harmless question many times, while its ranks still wait for their first batch. The JVM
 * compiles what runs often: a rank asks once a step, so without this the way of a ready step would be interpreted, and take
 * milliseconds, for hundreds of steps. When it is done the compilers, which have the large code of decoding left, give way.
 *
 * <p>Thread: {@code headrace-rehearsal}, a platform thread that gives way itself.
 */
public final class Rehearsal implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Rehearsal.class);
    private static final int QUESTIONS = 2_000;
    private static final byte[] QUESTION =
            "GET /v1/job HTTP/1.1\r\nHost: headrace\r\nHeadrace-Wait-Millis: 1\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII);
    private static final int LONGEST_ANSWER_BYTES = 1 << 16;

    private final SocketChannel channel;
    private final Thread thread;

    private Rehearsal(SocketChannel channel) {
        this.channel = channel;
        this.thread = Thread.ofPlatform().name("headrace-rehearsal").daemon().start(this::ask);
    }

    /**
     * Begins at once, and ends by itself.
     *
     * @throws IOException if nothing listens there
     */
    public static Rehearsal of(Path socket) throws IOException {
        return new Rehearsal(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
    }

    private void ask() {
        ThreadShare.giveWay();
        ByteBuffer answer = ByteBuffer.allocate(LONGEST_ANSWER_BYTES);
        try (channel) {
            for (int i = 0; i < QUESTIONS; i++) {
                channel.write(ByteBuffer.wrap(QUESTION));
                answer.clear();
                if (channel.read(answer) < 0) {
                    return;
                }
            }
            ThreadShare.compilersGiveWay();
        } catch (IOException e) {
            LOG.debug("The rehearsal ended early", e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
            thread.join();
        } catch (IOException e) {
            LOG.debug("The rehearsal did not close", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
