package io.headrace.runtime.deliver;

import io.headrace.runtime.deliver.slot.Lease;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;

/** One request and its response, as the routes see them. Used by one thread at a time. */
final class Exchange {
    /** Bodies go out in pieces of this length, each a view of the slot. */
    private static final long PIECE_BYTES = 64L << 20;

    /** A checkpoint is a few hundred bytes; a body beyond this is refused. */
    static final int LONGEST_BODY_BYTES = 1 << 20;

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

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
        if (!NUMBER.matcher(text).matches()) {
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

    /** Sends, and blocks until it is sent. */
    void send(Reply reply) throws IOException {
        head(reply);
        Content.Sink.write(response, true, reply.body());
    }

    /** Sends without blocking; the callback ends the exchange. */
    void send(Reply reply, Callback callback) {
        head(reply);
        response.write(true, reply.body(), callback);
    }

    private void head(Reply reply) {
        response.setStatus(reply.status());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, reply.contentType());
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, reply.body().remaining());
    }

    boolean isCommitted() {
        return response.isCommitted();
    }

    boolean wantsBytes() {
        return header("Accept").orElse("").contains("application/octet-stream");
    }

    /** Sends all bytes of a slot, with its lease and the ranges of its microbatches as headers. */
    void sendBytes(Lease lease) throws IOException {
        MemorySegment bytes = lease.memory();
        response.setStatus(200);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/octet-stream");
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, bytes.byteSize());
        response.getHeaders().put("Headrace-Lease", lease.id());
        response.getHeaders()
                .put("Headrace-Microbatches", StepHandle.header(lease.slot().layout()));
        long sent = 0;
        while (sent < bytes.byteSize()) {
            long piece = Math.min(PIECE_BYTES, bytes.byteSize() - sent);
            boolean last = sent + piece == bytes.byteSize();
            Content.Sink.write(response, last, bytes.asSlice(sent, piece).asByteBuffer());
            sent += piece;
        }
    }
}
