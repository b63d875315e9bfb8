package dev.idem.cli.serve;

import dev.idem.cli.around.Surroundings;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Listening;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.UsageException;
import dev.idem.command.Shell;
import dev.idem.server.Api;
import dev.idem.server.Operations;
import dev.idem.server.Token;
import dev.idem.server.TokenFile;
import dev.idem.server.http.Certificate;
import dev.idem.server.http.NetworkCarrier;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The part of {@code idem serve} that listens on the network. */
record NetworkDoor(Surroundings around, Arguments arguments) {
    private static final Option LISTEN =
            Option.of("--listen", "HOST:PORT", "serves programs that have a token, over TCP; port 0 is a free one");
    private static final Option TLS_CERT =
            Option.of("--tls-cert", "FILE", "with --listen: the server's certificate and its chain, as PEM");
    private static final Option TLS_KEY =
            Option.of("--tls-key", "FILE", "with --tls-cert: its unencrypted PKCS#8 key, as PEM");
    private static final Option PLAIN_HTTP = Option.flag(
            "--plain-http",
            "with --listen: goes without TLS beyond this host; everybody on the way reads tokens and results");
    private static final Option PUBLIC_URL = Option.of(
            "--public-url",
            "URL",
            "with --listen: where clients reach it, such as https://ops.example.com/idem behind a proxy");
    private static final Option ADDRESS_HEADER = Option.of(
            "--address-header",
            "NAME",
            "with --listen, behind a proxy: its header with the address of a client, such as X-Real-IP");

    private static final Option OPEN =
            Option.flag("--open", "with --listen: opens the console in a browser, signed in with the first token");
    private static final Option OPERATIONS = Option.of(
            "--operations",
            "FILE",
            "with --listen: what the console shows of each operation, as JSON: title, link, amount, currency");

    static final List<Option> OPTIONS = List.of(
            LISTEN, TLS_CERT, TLS_KEY, PLAIN_HTTP, PUBLIC_URL, ADDRESS_HEADER, OPEN, OPERATIONS, TokenPlace.TOKENS);

    /** The token that the first start makes. */
    private static final String FIRST = "first";

    /** Where it listens; null where it has only a socket. */
    NetworkCarrier.@Nullable Place place() {
        String listen = arguments.find(LISTEN);
        String chain = arguments.find(TLS_CERT);
        String key = arguments.find(TLS_KEY);
        String url = arguments.find(PUBLIC_URL);
        String header = arguments.find(ADDRESS_HEADER);
        boolean plain = arguments.flag(PLAIN_HTTP);
        if (listen == null) {
            boolean tokens = arguments.onLine(TokenPlace.TOKENS);
            if (chain != null || key != null || url != null || header != null || plain || tokens || shows()) {
                throw new UsageException(
                        "--tls-cert, --tls-key, --plain-http, --public-url, --address-header, --tokens,"
                                + " --open and --operations go with --listen");
            }
            return null;
        } else if (arguments.flag(ServeCommand.STDIO)) {
            throw new UsageException("give --listen or --stdio, not both");
        } else if ((chain == null) != (key == null)) {
            throw new UsageException("--tls-cert and --tls-key go together");
        }
        InetSocketAddress where = Listening.place(listen);
        Certificate certificate = chain == null || key == null
                ? null
                : new Certificate(
                        around.directory().resolve(chain), around.directory().resolve(key));
        NetworkCarrier.Place place = new NetworkCarrier.Place(
                where.getHostString(), where.getPort(), certificate, url == null ? null : publicUrl(url), header);
        if (!isLocal(place) && certificate == null && !plain) {
            throw new UsageException("--listen: " + where.getHostString() + " is reached from other hosts, and without "
                    + "encryption everybody on the way reads tokens and results. Give --tls-cert and --tls-key, listen at "
                    + "127.0.0.1 behind a proxy, or say --plain-http");
        }
        return place;
    }

    private static boolean isLocal(NetworkCarrier.Place place) {
        try {
            return place.isLocal();
        } catch (IOException e) {
            throw new UsageException("--listen: there is no host '" + place.host() + "'");
        }
    }

    /** Throws {@link IOException} if the tokens or the certificate can't be used. */
    void require(NetworkCarrier.Place place) throws IOException {
        TokenPlace.of(around, arguments).list();
        if (place.certificate() != null) {
            place.certificate().require();
        }
    }

    private static URI publicUrl(String text) {
        try {
            URI url = new URI(text);
            if (url.getHost() != null
                    && List.of("http", "https").contains(url.getScheme())
                    && url.getRawUserInfo() == null
                    && url.getRawQuery() == null
                    && url.getRawFragment() == null) {
                return url;
            }
        } catch (URISyntaxException e) {
            // As below.
        }
        throw new UsageException(
                "--public-url: write https:// and a host, perhaps with a path: https://ops.example.com/idem");
    }

    private boolean shows() {
        return arguments.flag(OPEN) || arguments.find(OPERATIONS) != null;
    }

    /** What the console shows of each operation. */
    Operations operations() {
        String file = arguments.find(OPERATIONS);
        if (file == null) {
            return Operations.NONE;
        }
        try {
            return Operations.read(Files.readString(around.directory().resolve(file)));
        } catch (IllegalArgumentException e) {
            throw new UsageException("--operations: in " + file + " " + e.getMessage());
        } catch (NoSuchFileException e) {
            throw new UsageException("--operations: there is no file " + file);
        } catch (IOException e) {
            throw new UsageException("--operations: " + file + " can't be read: " + e.getMessage());
        }
    }

    /** Starts to listen, after it has made a first token where there is none. */
    NetworkCarrier open(Api api, NetworkCarrier.Place place, Operations operations) throws IOException {
        require(place);
        TokenFile tokens = TokenPlace.of(around, arguments);
        tokens.begin(FIRST, first(tokens));
        if (arguments.flag(OPEN)) {
            firstOf(tokens);
        }
        return NetworkCarrier.start(api, place, tokens, operations, around.host());
    }

    private Token firstOf(TokenFile tokens) throws IOException {
        for (Token each : tokens.list()) {
            if (each.name().equals(FIRST) && tokens.stands(each)) {
                return each;
            }
        }
        throw new UsageException("--open signs in with the token '" + FIRST + "', and " + tokens.path()
                + " has none of this name. Start without --open, and sign in with another token");
    }

    /** A certificate need not be one of those that every client trusts. */
    private static String trusted(NetworkCarrier.Place place) {
        return place.certificate() == null || place.publicUrl() != null
                ? ""
                : " --cacert " + Shell.line(List.of(place.certificate().chain().toString()));
    }

    private static Path first(TokenFile tokens) {
        return tokens.path().resolveSibling("token");
    }

    void tell(Api api, NetworkCarrier carrier, NetworkCarrier.Place place) throws IOException {
        TokenFile tokens = TokenPlace.of(around, arguments);
        Path first = first(tokens);
        around.complain("idem: serving " + api.ledger() + " at " + carrier.url() + "\n  tokens: " + tokens.path()
                + " (idem token add, ls, revoke)\n");
        if (Files.isReadable(first) && tokens.find(Files.readString(first).strip()) != null) {
            around.complain("  the first one, which may do everything: " + first + "\n  curl" + trusted(place)
                    + " -H \"Authorization: Bearer $(cat "
                    + Shell.line(List.of(first.toString())) + ")\" --json '{}' "
                    + Shell.line(List.of(carrier.url().toString().replaceAll("/+$", "") + "/v1/hello")) + "\n");
        }
        if (arguments.flag(OPEN)) {
            URI url = carrier.signInUrl(firstOf(tokens));
            around.complain("  the console, signed in, once and within a minute: " + url + "\n");
            new Browser(around).open(url);
        } else {
            around.complain("  the console: " + carrier.url().toString().replaceAll("/+$", "") + "/\n");
        }
    }
}
