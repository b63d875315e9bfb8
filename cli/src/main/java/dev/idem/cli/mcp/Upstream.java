package dev.idem.cli.mcp;

import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Listening;
import dev.idem.cli.syntax.UsageException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Locale;
import java.util.Objects;

/** A server over HTTP, and the place in front of it where hosts reach the guard. */
record Upstream(URI server, String host, int port) {
    static Upstream of(String url, Arguments arguments) {
        InetSocketAddress place = Listening.place(Objects.requireNonNull(arguments.find(McpCommand.LISTEN)));
        String host = place.getHostString();
        if (host.equals("0.0.0.0") || host.matches("[0:]+")) {
            throw new UsageException("--listen: name one address of this machine, and not all of them. "
                    + "The guard has no login, so every program that reaches it can call the server");
        }
        return new Upstream(server(url), host, place.getPort());
    }

    /** The URL of a server. */
    static URI server(String url) {
        URI server;
        try {
            server = URI.create(url);
        } catch (IllegalArgumentException e) {
            throw wrong();
        }
        String scheme = String.valueOf(server.getScheme()).toLowerCase(Locale.ROOT);
        if (server.getHost() == null || !(scheme.equals("http") || scheme.equals("https"))) {
            throw wrong();
        } else if (server.getRawUserInfo() != null || server.getRawFragment() != null) {
            throw new UsageException("--upstream: the URL has no user, password or fragment. "
                    + "The host sends its credential in a header, and it is passed on");
        }
        return server;
    }

    private static UsageException wrong() {
        return new UsageException("--upstream: write the URL of the server, such as https://mail.example/mcp");
    }
}
