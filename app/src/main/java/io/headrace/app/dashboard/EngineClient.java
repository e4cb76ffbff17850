package io.headrace.app.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Asks a running engine over its Unix socket, one connection a question. */
public record EngineClient(Path socket) {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String HEAD_END = "\r\n\r\n";

    /**
     * The JSON document at a path such as {@code /v1/status}.
     *
     * @throws IOException if no engine listens, or if it answers with an error, whose message is given
     */
    public JsonNode get(String path) throws IOException {
        String answer =
                exchange(
                        "GET " + path + " HTTP/1.1\r\nHost: headrace\r\nConnection: close\r\n\r\n");
        int head = answer.indexOf(HEAD_END);
        if (head < 0) {
            throw new IOException("The engine at " + socket + " broke off");
        }
        JsonNode body = JSON.readTree(answer.substring(head + HEAD_END.length()));
        if (body.has("error")) {
            throw new IOException(body.path("error").path("message").asText());
        }
        return body;
    }

    private String exchange(String request) throws IOException {
        try (SocketChannel channel = connected()) {
            channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
            while (channel.read(buffer) >= 0) {
                answer.write(buffer.array(), 0, buffer.position());
                buffer.clear();
            }
            return answer.toString(StandardCharsets.UTF_8);
        }
    }

    private SocketChannel connected() throws IOException {
        try {
            return SocketChannel.open(UnixDomainSocketAddress.of(socket));
        } catch (IOException e) {
            throw new IOException(
                    "No engine listens on %s: %s".formatted(socket, e.getMessage()), e);
        }
    }
}
