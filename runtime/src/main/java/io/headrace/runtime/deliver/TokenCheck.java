package io.headrace.runtime.deliver;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Lets nobody in over TCP without the token; the Unix socket is guarded by its folder. */
final class TokenCheck extends Handler.Wrapper {
    private final byte[] expected;

    TokenCheck(String token, Handler guarded) {
        super(guarded);
        this.expected = ("Bearer " + token).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Exchange exchange = new Exchange(request, response);
        if (exchange.isLocal() || isKnown(request)) {
            return super.handle(request, response, callback);
        }
        exchange.send(Reply.error(401, "token", "The token is missing or wrong"), callback);
        return true;
    }

    private boolean isKnown(Request request) {
        String sent = request.getHeaders().get(HttpHeader.AUTHORIZATION);
        return sent != null
                && MessageDigest.isEqual(sent.getBytes(StandardCharsets.UTF_8), expected);
    }
}
