package dev.idem.server.http;

import dev.idem.server.Api;
import dev.idem.server.TokenFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
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
    private final Events events;
    private final ServerConnector connector;

    /**
     * Where a server listens.
     *
     * @param port 0 for a free one
     * @param certificate null for plain HTTP
     * @param publicUrl where clients reach it, if that is not here; null for none
     */
    public record Place(
            String host,
            int port,
            @Nullable Certificate certificate,
            @Nullable URI publicUrl) {
        /** Whether only programs of this host can connect. Throws {@link IOException} if there is no such host. */
        public boolean isLocal() throws IOException {
            return InetAddress.getByName(host).isLoopbackAddress();
        }
    }

    private NetworkCarrier(Place place, HttpServer server, Events events, ServerConnector connector) {
        this.place = place;
        this.server = server;
        this.events = events;
        this.connector = connector;
    }

    /** Listens there, and accepts these tokens. */
    public static NetworkCarrier start(Api api, Place place, TokenFile tokens) throws IOException {
        return start(api, place, tokens, HttpServer.PATIENCE);
    }

    static NetworkCarrier start(Api api, Place place, TokenFile tokens, Duration patience) throws IOException {
        HttpServer server = new HttpServer(api, patience);
        HttpConfiguration http = HttpServer.configuration();
        HttpConnectionFactory plain = new HttpConnectionFactory(http);
        Certificate certificate = place.certificate();
        ServerConnector connector;
        if (certificate == null) {
            connector = new ServerConnector(server.jetty(), 1, 1, plain);
        } else {
            // Clients that name no host in the handshake are served too.
            http.addCustomizer(new SecureRequestCustomizer(false));
            SslContextFactory.Server context = certificate.context();
            connector = new ServerConnector(
                    server.jetty(), 1, 1, new SslConnectionFactory(context, plain.getProtocol()), plain);
            connector.addEventListener(certificate.renewing(context, connector.getScheduler()));
        }
        connector.setHost(place.host());
        connector.setPort(place.port());
        connector.setAcceptQueueSize(1024);
        TokenCallers callers = new TokenCallers(tokens);
        Events events = new Events(api);
        NetworkCarrier carrier = new NetworkCarrier(place, server, events, connector);
        try {
            server.start(
                    connector,
                    new Door(
                            new Routes(
                                    api,
                                    server.threads(),
                                    callers,
                                    events,
                                    new ApiHandler(api, server.threads(), callers)),
                            place.host(),
                            place.publicUrl()));
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

    /** Takes no more requests, and gives those that are running some seconds. */
    @Override
    public void close() throws IOException {
        events.close();
        server.close();
    }
}
