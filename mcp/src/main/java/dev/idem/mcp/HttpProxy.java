package dev.idem.mcp;

import dev.idem.Idem;
import dev.idem.mcp.http.HttpRelay;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;

/**
 * Stands in front of a server that speaks MCP over HTTP. Tool calls go through the guard; every other request passes with
 * its own bytes, and so does its response.
 *
 * <pre>{@code
 * try (HttpProxy proxy = new HttpProxy(idem, McpOptions.of("mail"), URI.create("https://mail.example/mcp"))) {
 *     URI here = proxy.start("127.0.0.1", 0);
 * }
 * }</pre>
 */
public final class HttpProxy implements AutoCloseable {
    private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(20);
    private static final Duration PING = Duration.ofSeconds(5);

    private final HttpRelay relay;

    /** A proxy in front of the server with this URL, for the users of this machine. */
    public HttpProxy(Idem idem, McpOptions options, URI server) {
        this(idem, options, server, HttpUsers.guessed());
    }

    /**
     * A proxy in front of the server with this URL, for these users.
     *
     * @throws IllegalArgumentException for rules that are wrong {@linkplain McpRules#overHttp() over HTTP}
     */
    public HttpProxy(Idem idem, McpOptions options, URI server, HttpUsers users) {
        this(idem, options, server, users, SIGN_OF_LIFE, PING);
    }

    HttpProxy(Idem idem, McpOptions options, URI server, HttpUsers users, Duration signOfLife, Duration ping) {
        McpOptions checked = options.rules(options.rules().overHttp());
        this.relay = new HttpRelay(idem, checked.settings(), server, users.headers(), signOfLife, ping);
    }

    /**
     * Starts to listen.
     *
     * @param on the name or address of this machine to listen on
     * @param port the port; 0 for any that is free
     * @return the URL for hosts
     * @throws IOException if the port is taken
     * @throws IllegalArgumentException if other machines could reach it, and nothing says how users are told apart
     */
    public URI start(String on, int port) throws IOException {
        return relay.start(on, port);
    }

    /** Waits until {@link #end} was called. */
    public void awaitEnd() {
        relay.awaitEnd();
    }

    /** The calls that the guard would have stopped, in words; for a guard in the shadow. */
    public String shadowSummary() {
        return relay.shadowSummary();
    }

    /** Takes no more requests. Calls that run are waited for, but not longer than this. */
    public void end(Duration longest) {
        relay.end(longest);
    }

    @Override
    public void close() {
        end(Duration.ZERO);
    }
}
