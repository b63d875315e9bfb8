package dev.idem.http.servlet;

import dev.idem.http.Response;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A response whose body is held back until the outcome is recorded. A stream of events, and a body that outgrows the
 * buffer, go to the client at once; such a response can't be replayed.
 */
final class BufferedResponse extends HttpServletResponseWrapper {
    private final int most;
    private ByteArrayOutputStream buffer = new ByteArrayOutputStream();
    private @Nullable ServletOutputStream stream;
    private @Nullable PrintWriter writer;
    private boolean live;
    private boolean errorSent;
    private @Nullable String errorMessage;

    BufferedResponse(HttpServletResponse response, int most) {
        super(response);
        this.most = most;
    }

    /** Whether an error was sent instead of a body. */
    boolean isErrorSent() {
        return errorSent;
    }

    @Nullable
    String errorMessage() {
        return errorMessage;
    }

    /** The response as it is now; to be asked for when the handler has ended. */
    Response captured() {
        flushWriter();
        int status = getStatus();
        if (live || status == SC_SWITCHING_PROTOCOLS) {
            return Response.streamed(status);
        }
        Response response = Response.of(status).body(buffer.toByteArray());
        for (Map.Entry<String, List<String>> header : headers(this).entrySet()) {
            for (String line : header.getValue()) {
                response = response.header(header.getKey(), line);
            }
        }
        // Some containers have the type apart from the headers.
        return getContentType() == null ? response : response.withHeader("Content-Type", getContentType());
    }

    /** The lines of all headers of a response. Tomcat gives a name for each line, so a map keeps it from counting twice. */
    static Map<String, List<String>> headers(HttpServletResponse response) {
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String name : response.getHeaderNames()) {
            headers.put(name, List.copyOf(response.getHeaders(name)));
        }
        return headers;
    }

    private void flushWriter() {
        if (writer != null) {
            writer.flush();
        }
    }

    /** Sends what is held back, and holds nothing back any more. */
    private void goLive() throws IOException {
        live = true;
        super.getOutputStream().write(buffer.toByteArray());
        buffer = new ByteArrayOutputStream();
    }

    private boolean isEventStream() {
        String type = getContentType();
        return type != null && type.toLowerCase(Locale.ROOT).startsWith("text/event-stream");
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        if (writer != null) {
            throw new IllegalStateException("getWriter() was called before");
        }
        if (stream == null) {
            stream = new Held();
        }
        return stream;
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        if (stream != null) {
            throw new IllegalStateException("getOutputStream() was called before");
        }
        if (writer == null) {
            // Asked for, so that the container names the charset in the content type.
            setCharacterEncoding(getCharacterEncoding());
            writer = new PrintWriter(new OutputStreamWriter(new Held(), Charset.forName(getCharacterEncoding())));
        }
        return writer;
    }

    /** Frameworks flush every response. Only a stream of events has to reach the client before its end. */
    @Override
    public void flushBuffer() throws IOException {
        flushWriter();
        if (!live && isEventStream()) {
            goLive();
        }
        if (live) {
            super.flushBuffer();
        }
    }

    @Override
    public boolean isCommitted() {
        return live || errorSent || super.isCommitted();
    }

    @Override
    public void reset() {
        requireUncommitted();
        super.reset();
        resetBody();
    }

    @Override
    public void resetBuffer() {
        requireUncommitted();
        resetBody();
    }

    private void resetBody() {
        flushWriter();
        buffer = new ByteArrayOutputStream();
    }

    private void requireUncommitted() {
        if (isCommitted()) {
            throw new IllegalStateException("the response is committed");
        }
    }

    @Override
    public void sendError(int status) {
        sendError(status, null);
    }

    @Override
    public void sendError(int status, @Nullable String message) {
        resetBuffer();
        setStatus(status);
        errorSent = true;
        errorMessage = message;
    }

    /** The body of an error where the application has no pages for errors. */
    void writeErrorMessage() {
        if (errorMessage != null && !errorMessage.isEmpty()) {
            setContentType("text/plain;charset=utf-8");
            buffer.writeBytes(errorMessage.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Override
    public void sendRedirect(String location) {
        sendRedirect(location, SC_FOUND, true);
    }

    /** As in Servlet 6.1. */
    public void sendRedirect(String location, int status) {
        sendRedirect(location, status, true);
    }

    /** As in Servlet 6.1. */
    public void sendRedirect(String location, boolean clearBuffer) {
        sendRedirect(location, SC_FOUND, clearBuffer);
    }

    /** As in Servlet 6.1. The location stays as it is: RFC 9110 allows a relative one. */
    public void sendRedirect(String location, int status, boolean clearBuffer) {
        requireUncommitted();
        if (clearBuffer) {
            resetBody();
        }
        setStatus(status);
        setHeader("Location", location);
    }

    private final class Held extends ServletOutputStream {
        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            if (!live && buffer.size() + (long) length > most) {
                goLive();
            }
            if (live) {
                BufferedResponse.super.getOutputStream().write(bytes, from, length);
            } else if (!errorSent) {
                buffer.write(bytes, from, length);
            }
        }

        @Override
        public void flush() throws IOException {
            if (!live && isEventStream()) {
                goLive();
            }
            if (live) {
                BufferedResponse.super.getOutputStream().flush();
            }
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            try {
                listener.onWritePossible();
            } catch (IOException | RuntimeException e) {
                listener.onError(e);
            }
        }
    }
}
