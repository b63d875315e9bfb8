package dev.idem.remote;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedDeque;

/** Reaches a server at a unix socket, which the client of the JDK can't. Connections are kept for the next requests. */
final class SocketTransport implements Transport {
    private static final int MOST_IDLE = 64;

    private final Path path;
    private final ConcurrentLinkedDeque<SocketConnection> idle = new ConcurrentLinkedDeque<>();
    private volatile boolean closed;

    SocketTransport(RemoteUrl url) {
        this.path = Objects.requireNonNull(url.socket());
    }

    @Override
    public Reply post(String method, byte[] body, Duration timeout) throws IOException {
        SocketConnection connection = null;
        try {
            connection = connection();
            Reply reply = connection.post(method, body, timeout);
            if (connection.isReusable() && !closed && idle.size() < MOST_IDLE) {
                idle.push(connection);
                connection = null;
            }
            return reply;
        } finally {
            if (connection != null) {
                connection.close();
            }
            if (closed) {
                close();
            }
        }
    }

    /** The connection that was used last, unless the server has closed it meanwhile. */
    private SocketConnection connection() throws IOException {
        for (SocketConnection kept = idle.poll(); kept != null; kept = idle.poll()) {
            if (kept.isQuiet()) {
                return kept;
            }
            kept.close();
        }
        return SocketConnection.open(path);
    }

    @Override
    public void close() {
        closed = true;
        for (SocketConnection kept = idle.poll(); kept != null; kept = idle.poll()) {
            kept.close();
        }
    }
}
