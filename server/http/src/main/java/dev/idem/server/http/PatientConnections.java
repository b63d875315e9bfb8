package dev.idem.server.http;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Gives each connection some time from its opening, or its last answer, to the end of the next request's header. Jetty's own limit counts from the
 * last byte, so a header that comes byte by byte would hold its connection for ever.
 */
final class PatientConnections extends Handler.Wrapper implements Connection.Listener {
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    private final Duration patience;
    private final Map<Connection, Long> waiting = new ConcurrentHashMap<>();

    PatientConnections(Handler handler, Duration patience) {
        super(handler);
        this.patience = patience;
    }

    @Override
    public void onOpened(Connection connection) {
        // One below it, with the encryption, is opened too.
        if (connection instanceof ConnectionMetaData) {
            waiting.put(connection, System.nanoTime());
        }
    }

    @Override
    public void onClosed(Connection connection) {
        waiting.remove(connection);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Connection connection = request.getConnectionMetaData().getConnection();
        waiting.remove(connection);
        Request.addCompletionListener(request, failure -> {
            waiting.put(connection, System.nanoTime());
            if (!connection.getEndPoint().isOpen()) {
                waiting.remove(connection);
            }
        });
        return super.handle(request, response, callback);
    }

    /** Looks at all connections from time to time, also after a look that failed, as it does without memory. */
    void look(Scheduler scheduler) {
        try {
            endSlow();
        } finally {
            scheduler.schedule(() -> look(scheduler), LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void endSlow() {
        long now = System.nanoTime();
        waiting.forEach((connection, since) -> {
            if (now - since > patience.toNanos() && waiting.remove(connection, since)) {
                connection.getEndPoint().close();
            }
        });
    }
}
