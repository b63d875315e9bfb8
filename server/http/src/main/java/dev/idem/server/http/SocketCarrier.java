package dev.idem.server.http;

import dev.idem.server.Api;
import dev.idem.server.Caller;
import dev.idem.server.RequestThreads;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import jdk.net.ExtendedSocketOptions;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.unixdomain.server.UnixDomainServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Carries the API over a unix socket, for all programs of one user. */
public final class SocketCarrier implements AutoCloseable {
    private static final int MOST_CONNECTIONS = 20_000;
    private static final int LONGEST_HEADER = 8 * 1024;
    private static final Duration IDLE = Duration.ofSeconds(60);
    private static final Duration LAST_REQUESTS = Duration.ofSeconds(3);

    private final Api api;
    private final SocketFile file;
    private final Server server;
    private final RequestThreads threads = new RequestThreads();

    private SocketCarrier(Api api, SocketFile file, Server server) {
        this.api = api;
        this.file = file;
        this.server = server;
    }

    /**
     * Listens at a path. Its folder is made for this user alone, or must be so.
     *
     * @throws IllegalStateException if a server runs there already
     */
    public static SocketCarrier start(Api api, Path path) throws IOException {
        SocketFile file = SocketFile.take(path);
        QueuedThreadPool pool = new QueuedThreadPool(16, 2);
        pool.setName("idem-http");
        pool.setDaemon(true);
        Server server = new Server(pool);
        SocketCarrier carrier = new SocketCarrier(api, file, server);
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setSendDateHeader(false);
        http.setRequestHeaderSize(LONGEST_HEADER);
        UnixDomainServerConnector connector =
                new UnixDomainServerConnector(server, 1, 1, new HttpConnectionFactory(http));
        connector.setUnixDomainPath(file.unfinished());
        connector.setAcceptQueueSize(1024);
        connector.setIdleTimeout(IDLE.toMillis());
        server.addConnector(connector);
        server.addBean(new NetworkConnectionLimit(MOST_CONNECTIONS, server));
        server.setHandler(new GracefulHandler(new ApiHandler(api, carrier.threads, SocketCarrier::caller)));
        server.setStopTimeout(LAST_REQUESTS.toMillis());
        try {
            server.start();
            file.finish();
        } catch (Exception e) {
            carrier.close();
            throw e instanceof IOException io ? io : new IOException("no socket can be made at " + path + ": " + e, e);
        }
        return carrier;
    }

    /** The user at the other end. Its tickets are renewed while its process is seen, not while it is connected. */
    private static Caller caller(Request request) {
        Object channel =
                request.getConnectionMetaData().getConnection().getEndPoint().getTransport();
        String user = System.getProperty("user.name", "unknown");
        if (channel instanceof SocketChannel socket) {
            try {
                user = socket.getOption(ExtendedSocketOptions.SO_PEERCRED)
                        .user()
                        .getName();
            } catch (IOException | UnsupportedOperationException e) {
                // Only this user can reach the socket.
            }
        }
        return Caller.local(user, () -> true, false);
    }

    /** Where it listens. */
    public Path path() {
        return file.path();
    }

    /** Takes no more requests, gives those that are running some seconds, and removes the socket. */
    @Override
    public void close() throws IOException {
        api.endWaits();
        try {
            file.remove();
            server.stop();
            threads.end(LAST_REQUESTS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            throw new IOException("the server did not end cleanly: " + e, e);
        } finally {
            file.close();
        }
    }
}
