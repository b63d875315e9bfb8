package dev.idem.server.http;

import dev.idem.server.Api;
import dev.idem.server.Budget;
import dev.idem.server.LimitLog;
import dev.idem.server.RequestThreads;
import java.io.IOException;
import java.time.Duration;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** The limits that every carrier has. A client that sends slowly, too much, or nothing does not hold up others. */
final class HttpServer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(HttpServer.class.getName());
    private static final int MOST_CONNECTIONS = 20_000;

    /** What a connection may cost, with its buffers, and with its encryption. */
    private static final int PLAIN = 16 * 1024;

    private static final int ENCRYPTED = 128 * 1024;
    private static final int LONGEST_HEADER = 8 * 1024;
    private static final int SLOWEST_BODY = 10_000;
    private static final int INTERNAL = 500;
    static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LAST_REQUESTS = Duration.ofSeconds(3);

    /** How long a connection may be silent that has no request running when the server ends. */
    private static final Duration LAST_BYTES = Duration.ofMillis(250);

    private final Api api;
    private final Duration patience;
    private final Server jetty;
    private final RequestThreads threads = new RequestThreads();
    private final PatientConnections connections;
    private final LimitLog notAccepted = new LimitLog();

    /** A server that waits this long for a connection's next request, or its next byte, and has so many connections. */
    HttpServer(Api api, Duration patience, Budget places) {
        this.api = api;
        this.patience = patience;
        connections = new PatientConnections(patience, places);
        QueuedThreadPool pool = new QueuedThreadPool(16, 2);
        pool.setName("idem-http");
        pool.setDaemon(true);
        jetty = new Server(pool);
        jetty.setErrorHandler(HttpServer::error);
        jetty.setStopTimeout(LAST_REQUESTS.toMillis());
    }

    Server jetty() {
        return jetty;
    }

    /** The threads that may wait for the ledger. */
    RequestThreads threads() {
        return threads;
    }

    /** The connections that the heap has room for. */
    static long mostConnections(boolean encrypted) {
        return Budget.ofHeap(encrypted ? ENCRYPTED : PLAIN, MOST_CONNECTIONS);
    }

    /** A connection could not be accepted, as it is where the process has no more file descriptors. It is tried again. */
    void tellNotAccepted(Throwable failure) {
        if (failure instanceof IOException && jetty.isRunning()) {
            notAccepted.tell(() -> "no connection can be accepted: " + failure.getMessage());
        }
    }

    /** Whose connections they are. */
    PatientConnections connections() {
        return connections;
    }

    static HttpConfiguration configuration() {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setSendDateHeader(false);
        http.setRequestHeaderSize(LONGEST_HEADER);
        // It takes 130 KB of each connection from its second request on.
        http.setHeaderCacheSize(0);
        return http;
    }

    /** What Jetty refuses by itself, since it is no HTTP, or what failed in it. */
    private static boolean error(Request request, Response response, Callback callback) {
        int status = response.getStatus();
        Reply.problem(
                        status,
                        status < INTERNAL ? "malformed" : "internal",
                        status < INTERNAL
                                ? "the request can't be read: " + request.getAttribute(ErrorHandler.ERROR_MESSAGE)
                                        + ". Nothing was done"
                                : "an error of the server. The step may have been made: send the same request again")
                .send(request, response, callback);
        return true;
    }

    /** Takes requests at a connector. */
    void start(AbstractConnector connector, Handler handler) throws Exception {
        connector.setIdleTimeout(patience.toMillis());
        connector.setShutdownIdleTimeout(LAST_BYTES.toMillis());
        connections.setHandler(new SteadyBodies(handler, patience, SLOWEST_BODY));
        connector.addBean(connections);
        jetty.addConnector(connector);
        // No GracefulHandler: it refuses requests while the server ends, and a proxy may have found all others away.
        jetty.setHandler(connections);
        jetty.start();
        connections.look(connector.getScheduler());
    }

    /**
     * Takes no more connections, and gives those that are there some seconds to get the answer to their last request. One that
     * takes longer is no fault of the end.
     */
    @Override
    public void close() {
        api.endWaits();
        try {
            jetty.stop();
            threads.end(LAST_REQUESTS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            LOG.log(System.Logger.Level.WARNING, "the last requests did not end in time: " + e);
        }
    }
}
