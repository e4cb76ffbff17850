package io.headrace.runtime.deliver;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.OptionalLong;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Fields;

/** One request and its response, as the routes see them. Used by one virtual thread. */
final class Exchange {
    /** Bodies go out in pieces of this length, each a view of the slot. */
    private static final long PIECE_BYTES = 64L << 20;

    /** A checkpoint is a few hundred bytes; a body beyond this is refused. */
    static final int LONGEST_BODY_BYTES = 1 << 20;

    private final Request request;
    private final Response response;

    Exchange(Request request, Response response) {
        this.request = request;
        this.response = response;
    }

    String method() {
        return request.getMethod();
    }

    String path() {
        return Request.getPathInContext(request);
    }

    Optional<String> header(String name) {
        return Optional.ofNullable(request.getHeaders().get(name));
    }

    /** A header that holds a number that is not negative. */
    OptionalLong number(String name) {
        return header(name)
                .map(text -> OptionalLong.of(parse(name, text)))
                .orElse(OptionalLong.empty());
    }

    /** A parameter of the query that holds a number that is not negative. */
    OptionalLong parameter(String name) {
        Fields.Field field = Request.extractQueryParameters(request).get(name);
        return field == null
                ? OptionalLong.empty()
                : OptionalLong.of(parse(name, field.getValue()));
    }

    static long parse(String name, String text) {
        if (!text.matches("[0-9]{1,18}")) {
            throw new IllegalArgumentException("%s is no number: \"%s\"".formatted(name, text));
        }
        return Long.parseLong(text);
    }

    String body() throws IOException {
        long length = number(HttpHeader.CONTENT_LENGTH.asString()).orElse(0);
        if (length > LONGEST_BODY_BYTES) {
            throw new IllegalArgumentException(
                    "A body of %d bytes, at most %d are allowed"
                            .formatted(length, LONGEST_BODY_BYTES));
        }
        return Content.Source.asString(request);
    }

    /** Stands for the connection, by identity. */
    Object connection() {
        return request.getConnectionMetaData().getConnection();
    }

    boolean isLocal() {
        return request.getConnectionMetaData().getConnector().getName() == null;
    }

    void send(Reply reply) throws IOException {
        response.setStatus(reply.status());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, reply.contentType());
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, reply.body().remaining());
        Content.Sink.write(response, true, reply.body());
    }

    void sendBytes(MemorySegment bytes, long lease, String microbatches) throws IOException {
        response.setStatus(200);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/octet-stream");
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, bytes.byteSize());
        response.getHeaders().put("Headrace-Lease", lease);
        response.getHeaders().put("Headrace-Microbatches", microbatches);
        long sent = 0;
        while (sent < bytes.byteSize()) {
            long piece = Math.min(PIECE_BYTES, bytes.byteSize() - sent);
            boolean last = sent + piece == bytes.byteSize();
            Content.Sink.write(response, last, bytes.asSlice(sent, piece).asByteBuffer());
            sent += piece;
        }
    }
}
