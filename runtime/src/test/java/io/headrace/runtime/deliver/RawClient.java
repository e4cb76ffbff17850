package io.headrace.runtime.deliver;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** One keep-alive HTTP/1.1 connection over a Unix socket, as a rank has it. */
final class RawClient implements AutoCloseable {
    private final SocketChannel channel;

    record Answer(int status, String headers, ByteBuffer body) {
        String text() {
            return StandardCharsets.UTF_8.decode(body.duplicate()).toString();
        }

        /** The number behind a JSON name. */
        long number(String name) {
            return Long.parseLong(text().replaceAll("(?s).*\"" + name + "\":(-?\\d+).*", "$1"));
        }

        String string(String name) {
            return text().replaceAll("(?s).*\"" + name + "\":\"([^\"]*)\".*", "$1");
        }
    }

    RawClient(Path socket) throws IOException {
        channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(socket));
    }

    Answer get(String path, String... headers) throws IOException {
        return ask("GET", path, "", headers);
    }

    Answer ask(String method, String path, String body, String... headers) throws IOException {
        StringBuilder request = new StringBuilder();
        request.append(method).append(' ').append(path).append(" HTTP/1.1\r\nHost: headrace\r\n");
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        request.append("Content-Length: ").append(body.length()).append("\r\n\r\n").append(body);
        ByteBuffer out = ByteBuffer.wrap(request.toString().getBytes(StandardCharsets.UTF_8));
        while (out.hasRemaining()) {
            channel.write(out);
        }
        return answer();
    }

    private Answer answer() throws IOException {
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        ByteBuffer in = ByteBuffer.allocate(1 << 16);
        int head = -1;
        int length = 0;
        while (head < 0 || got.size() < head + length) {
            in.clear();
            int read = channel.read(in);
            if (read < 0) {
                throw new IOException("The server closed the connection");
            }
            got.write(in.array(), 0, read);
            String text = got.toString(StandardCharsets.ISO_8859_1);
            if (head < 0 && text.contains("\r\n\r\n")) {
                head = text.indexOf("\r\n\r\n") + 4;
                length =
                        Integer.parseInt(
                                text.substring(0, head)
                                        .replaceAll("(?is).*content-length: (\\d+).*", "$1"));
            }
        }
        String headers = got.toString(StandardCharsets.ISO_8859_1).substring(0, head);
        ByteBuffer body = ByteBuffer.wrap(got.toByteArray(), head, length).slice();
        return new Answer(Integer.parseInt(headers.substring(9, 12)), headers, body);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
