package dev.idem.server.http;

import dev.idem.server.Watch;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** A response whose server-sent events are written without a thread that waits. */
record Events(Response response, Callback callback) implements Watch.Stream {
    static Events begin(Response response, Callback callback) {
        response.setStatus(200);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, Watch.MEDIA);
        // A proxy that collects a response would keep every event back.
        response.getHeaders().put("X-Accel-Buffering", "no");
        return new Events(response, callback);
    }

    @Override
    public void send(String text, Watch.Sent sent) {
        response.write(
                false, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), Callback.from(sent::done, failure -> {
                    sent.failed();
                    callback.failed(failure);
                }));
    }

    @Override
    public void end() {
        response.write(true, ByteBuffer.allocate(0), callback);
    }
}
