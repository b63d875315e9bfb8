package dev.idem.server.http;

import dev.idem.server.Api;
import dev.idem.server.Budget;
import dev.idem.server.ConsoleSettings;
import dev.idem.server.Operations;
import dev.idem.server.Token;
import dev.idem.server.TokenFile;
import dev.idem.server.Watch;
import dev.idem.spi.Clocks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

/** Carries the API over TCP, for programs and people that have a token. */
public final class NetworkCarrier implements AutoCloseable {
    private final Place place;
    private final HttpServer server;
    private final Watch watch;
    private final ServerConnector connector;
    private final OneUseCodes codes;
    private final PrometheusMeters meters;

    /**
     * Where a server listens.
     *
     * @param port 0 for a free one
     * @param certificate null for plain HTTP
     * @param publicUrl where clients reach it, if that is not here; null for none
     * @param addressHeader the header in which a proxy says where a request comes from; null for none
     */
    public record Place(
            String host,
            int port,
            @Nullable Certificate certificate,
            @Nullable URI publicUrl,
            @Nullable String addressHeader) {
        /** A place without such a header. */
        public Place(String host, int port, @Nullable Certificate certificate, @Nullable URI publicUrl) {
            this(host, port, certificate, publicUrl, null);
        }

        /** Whether only programs of this host can connect. Throws {@link IOException} if there is no such host. */
        public boolean isLocal() throws IOException {
            return InetAddress.getByName(host).isLoopbackAddress();
        }

        private String cookieAttributes() {
            boolean encrypted = publicUrl == null
                    ? certificate != null
                    : publicUrl.getScheme().equals("https");
            String path = publicUrl == null ? "" : publicUrl.getPath().replaceAll("/+$", "");
            return "; Path=" + path + "/" + (encrypted ? "; Secure" : "");
        }
    }

    private NetworkCarrier(
            Place place,
            HttpServer server,
            Watch watch,
            ServerConnector connector,
            OneUseCodes codes,
            PrometheusMeters meters) {
        this.place = place;
        this.server = server;
        this.watch = watch;
        this.connector = connector;
        this.codes = codes;
        this.meters = meters;
    }

    /**
     * Listens there, accepts these tokens, and shows the console.
     *
     * @param operations what the console tells about operations
     */
    public static NetworkCarrier start(Api api, Place place, TokenFile tokens, Operations operations, Clocks clocks)
            throws IOException {
        return start(api, place, tokens, operations, clocks, HttpServer.PATIENCE);
    }

    static NetworkCarrier start(
            Api api, Place place, TokenFile tokens, Operations operations, Clocks clocks, Duration patience)
            throws IOException {
        long most = HttpServer.mostConnections(place.certificate() != null);
        HttpServer server = new HttpServer(api, patience, new Budget("connections", most, most / 2));
        HttpConfiguration http = HttpServer.configuration();
        HttpConnectionFactory plain = new HttpConnectionFactory(http);
        Certificate certificate = place.certificate();
        SslContextFactory.Server context = certificate == null ? null : certificate.context();
        ConnectionFactory[] factories = context == null
                ? new ConnectionFactory[] {plain}
                : new ConnectionFactory[] {new SslConnectionFactory(context, plain.getProtocol()), plain};
        ServerConnector connector = new ServerConnector(server.jetty(), 1, 1, factories) {
            @Override
            protected boolean handleAcceptFailure(Throwable failure) {
                server.tellNotAccepted(failure);
                return super.handleAcceptFailure(failure);
            }
        };
        if (certificate != null && context != null) {
            // Clients that name no host in the handshake are served too.
            http.addCustomizer(new SecureRequestCustomizer(false));
            connector.addEventListener(certificate.renewing(context, connector.getScheduler()));
        }
        connector.setHost(place.host());
        connector.setPort(place.port());
        connector.setAcceptQueueSize(1024);
        Watch watch = new Watch(api);
        PrometheusMeters meters = new PrometheusMeters(api, watch);
        OneUseCodes codes = new OneUseCodes(clocks);
        NetworkCarrier carrier = new NetworkCarrier(place, server, watch, connector, codes, meters);
        try {
            // Bound already: the port is in the name of the cookie.
            connector.open();
            String cookie = SignedIn.cookie(place.publicUrl(), connector.getLocalPort());
            SignedIn callers = new SignedIn(
                    new TokenCallers(tokens), new Sessions(tokens, clocks, cookie), cookie, server.connections());
            SignIn signIn = new SignIn(
                    tokens, codes, callers, server.threads(), clocks, place.cookieAttributes(), place.addressHeader());
            Admission admission = new Admission();
            ApiHandler methods = new ApiHandler(api, server.threads(), callers, admission, meters);
            Handler console = new ConsoleHandler(
                    new Routes(api, server.threads(), callers, watch, admission, meters, methods),
                    new ConsoleSettings(api, "token", operations),
                    server.threads(),
                    callers,
                    signIn);
            server.start(connector, new Door(console, place.host(), place.publicUrl()));
        } catch (Exception e) {
            carrier.close();
            throw new IOException(
                    "can't listen at " + place.host() + ":" + place.port() + ": "
                            + (e.getCause() == null ? e : e.getCause()).getMessage(),
                    e);
        }
        return carrier;
    }

    /** The port that it listens at. */
    public int port() {
        return connector.getLocalPort();
    }

    /** Where clients reach it. */
    public URI url() {
        if (place.publicUrl() != null) {
            return place.publicUrl();
        }
        String host = place.host().indexOf(':') < 0 ? place.host() : "[" + place.host() + "]";
        return URI.create((place.certificate() == null ? "http://" : "https://") + host + ":" + port());
    }

    /** A URL that opens the console and signs in with this token, once, within a minute. Its secret part is sent to no server. */
    public URI signInUrl(Token token) {
        return URI.create(url().toString().replaceAll("/+$", "") + "/#code=" + codes.issue(token));
    }

    /** Takes no more connections, and gives those that are there some seconds to get an answer. */
    @Override
    public void close() throws IOException {
        watch.close();
        server.close();
        meters.close();
    }
}
