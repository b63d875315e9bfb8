package dev.idem.http.servlet.broken;

import dev.idem.http.Response;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Collection;
import java.util.TreeSet;

/** A response whose body is held back, unless it is a stream of events. */
public class CapturedResponse extends HttpServletResponseWrapper {
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private boolean live;

    public CapturedResponse(HttpServletResponse response) {
        super(response);
    }

    /** Called before each write of the body. */
    protected void writes() {}

    /** The response, when the handler has ended. */
    protected Response response() {
        return head().body(body.toByteArray());
    }

    /** Status and headers as they are now. */
    protected final Response head() {
        Response head = Response.of(getStatus());
        for (String name : headerNames()) {
            for (String line : getHeaders(name)) {
                head = head.header(name, line);
            }
        }
        return getContentType() == null ? head : head.withHeader("Content-Type", getContentType());
    }

    /** The names of the headers, each of them once. Tomcat gives a name for each line. */
    protected Collection<String> headerNames() {
        return new TreeSet<>(getHeaderNames());
    }

    final boolean isLive() {
        return live;
    }

    final void send() throws IOException {
        super.getOutputStream().write(body.toByteArray());
        body.reset();
    }

    @Override
    public ServletOutputStream getOutputStream() {
        return new ServletOutputStream() {
            @Override
            public void write(int b) {
                writes();
                body.write(b);
            }

            @Override
            public boolean isReady() {
                return true;
            }

            @Override
            public void setWriteListener(WriteListener listener) {
                throw new UnsupportedOperationException("the suite writes in its own thread");
            }
        };
    }

    @Override
    public void flushBuffer() throws IOException {
        if ("text/event-stream".equals(getContentType())) {
            live = true;
            send();
            super.flushBuffer();
        }
    }
}
