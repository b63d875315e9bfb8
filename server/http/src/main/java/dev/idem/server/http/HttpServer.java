package dev.idem.server.http;

import dev.idem.server.Api;
import dev.idem.server.RequestThreads;
import java.io.IOException;
import java.time.Duration;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** The limits that every carrier has. A client that sends slowly, too much, or nothing does not hold up others. */
final class HttpServer implements AutoCloseable {
    private static final int MOST_CONNECTIONS = 20_000;
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

    /** A server that waits this long for a connection's next request, or its next byte. */
    HttpServer(Api api, Duration patience) {
        this.api = api;
        this.patience = patience;
        QueuedThreadPool pool = new QueuedThreadPool(16, 2);
        pool.setName("idem-http");
        pool.setDaemon(true);
        jetty = new Server(pool);
        jetty.addBean(new NetworkConnectionLimit(MOST_CONNECTIONS, jetty));
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

    static HttpConfiguration configuration() {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setSendDateHeader(false);
        http.setRequestHeaderSize(LONGEST_HEADER);
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
        PatientConnections connections =
                new PatientConnections(new SteadyBodies(handler, patience, SLOWEST_BODY), patience);
        connector.addBean(connections);
        jetty.addConnector(connector);
        jetty.setHandler(new GracefulHandler(connections));
        jetty.start();
        connections.look(connector.getScheduler());
    }

    /** Takes no more requests, and gives those that are running some seconds. */
    @Override
    public void close() throws IOException {
        api.endWaits();
        try {
            jetty.stop();
            threads.end(LAST_REQUESTS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            throw new IOException("the server did not end cleanly: " + e, e);
        }
    }
}
