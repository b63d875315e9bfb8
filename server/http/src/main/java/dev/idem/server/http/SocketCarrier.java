package dev.idem.server.http;

import dev.idem.server.Api;
import dev.idem.server.Budget;
import dev.idem.server.Caller;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import jdk.net.ExtendedSocketOptions;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.unixdomain.server.UnixDomainServerConnector;

/** Carries the API over a unix socket, for all programs of one user. */
public final class SocketCarrier implements AutoCloseable {
    private final SocketFile file;
    private final HttpServer server;

    private SocketCarrier(SocketFile file, HttpServer server) {
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
        long most = HttpServer.mostConnections(false);
        HttpServer server = new HttpServer(api, HttpServer.PATIENCE, new Budget("connections", most, most));
        SocketCarrier carrier = new SocketCarrier(file, server);
        UnixDomainServerConnector connector =
                new UnixDomainServerConnector(
                        server.jetty(), 1, 1, new HttpConnectionFactory(HttpServer.configuration())) {
                    @Override
                    protected boolean handleAcceptFailure(Throwable failure) {
                        server.tellNotAccepted(failure);
                        return super.handleAcceptFailure(failure);
                    }
                };
        connector.setUnixDomainPath(file.unfinished());
        connector.setAcceptQueueSize(1024);
        try {
            server.start(
                    connector,
                    new ApiHandler(api, server.threads(), SocketCarrier::caller, new Admission(), Meters.NONE));
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

    /** Takes no more connections, gives those that are there some seconds to get an answer, and removes the socket. */
    @Override
    public void close() throws IOException {
        try (file;
                server) {
            file.remove();
        }
    }
}
