package dev.idem.remote;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.server.Access;
import dev.idem.server.Api;
import dev.idem.server.Operations;
import dev.idem.server.TokenFile;
import dev.idem.server.http.Certificate;
import dev.idem.server.http.NetworkCarrier;
import dev.idem.server.http.SocketCarrier;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fence;
import dev.idem.spi.ForwardingLedger;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerUrl;
import dev.idem.spi.Ledgers;
import dev.idem.spi.ResolvedBy;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A server in this process, in front of a ledger that it closes. */
final class TestServer implements AutoCloseable {
    private static final Address ID = new Address("idem", "ledger_id", "ledger_id");

    private final Ledger ledger;
    private final TokenFile tokens;
    private final Api api;
    private final AutoCloseable carrier;
    private final String url;
    private @Nullable String all;

    private TestServer(Ledger ledger, Path folder, NetworkCarrier.@Nullable Place place) throws IOException {
        this.ledger = ledger;
        this.tokens = new TokenFile(folder.resolve("tokens.json"), Host.system());
        this.api = new Api(ledger, "memory:", Host.system(), "1");
        if (place != null) {
            NetworkCarrier network = NetworkCarrier.start(api, place, tokens, Operations.NONE, Host.system());
            this.carrier = network;
            this.url = network.url().toString();
        } else {
            Path path = folder.resolve("run").resolve("s.sock");
            this.carrier = SocketCarrier.start(api, path);
            this.url = "http+unix:" + path;
        }
    }

    /** A server over TCP. */
    static TestServer overTcp(Ledger ledger, Path folder) {
        return overTcp(ledger, folder, 0);
    }

    /** A server at this port. */
    static TestServer overTcp(Ledger ledger, Path folder, int port) {
        return of(ledger, folder, new NetworkCarrier.Place("127.0.0.1", port, null, null));
    }

    /** A server over TCP with this certificate. */
    static TestServer overTls(Ledger ledger, Path folder, Certificate certificate) {
        return of(ledger, folder, new NetworkCarrier.Place("127.0.0.1", 0, certificate, null));
    }

    /** A server at a unix socket. */
    static TestServer atSocket(Ledger ledger, Path folder) {
        return of(ledger, folder, null);
    }

    private static TestServer of(Ledger ledger, Path folder, NetworkCarrier.@Nullable Place place) {
        try {
            return new TestServer(ledger, folder, place);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its URL, without a token. */
    String url() {
        return url;
    }

    int port() {
        return Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
    }

    /** A new token. */
    String token(String name, Access access) {
        try {
            return tokens.add(name, access, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The remote ledger with all rights. */
    Ledger open() {
        if (url.startsWith("http+unix:")) {
            return Ledgers.open(url);
        }
        if (all == null) {
            all = token("all", Access.ALL);
        }
        return open(all);
    }

    /** The remote ledger with this token. */
    Ledger open(String token) {
        return open(url, token, "");
    }

    /** The remote ledger with this token, only to be read. */
    Ledger openToLook(String token) {
        return RemoteLedger.open(RemoteUrl.parse(LedgerUrl.parse(url + "?token=env:TOKEN"), name -> token), true);
    }

    void revoke(String name) {
        try {
            tokens.revoke(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The remote ledger at a URL, for instance that of a proxy. */
    static Ledger open(String url, String token, String options) {
        LedgerUrl parsed = LedgerUrl.parse(url + "?token=env:TOKEN" + options);
        return RemoteLedger.open(RemoteUrl.parse(parsed, name -> token), false);
    }

    @Override
    public void close() {
        try (ledger;
                api;
                carrier) {
            // Closes them in the reverse order.
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static Path folder(Path parent) {
        try {
            return Files.createTempDirectory(parent, "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A ledger without what a server adds to it, for the contract, which counts all entries and compares all notes: the
     * entry with the name of the ledger, and the signatures of tokens.
     */
    static final class Unnamed extends ForwardingLedger {
        private static final String SIGNATURE = "( \\(token all\\)|^token all)$";

        private final Ledger name = Ledgers.open("memory:");

        Unnamed(Ledger inner) {
            super(inner);
        }

        private Ledger of(Address address) {
            return address.equals(ID) ? name : inner;
        }

        @Override
        public Claim claim(ClaimRequest request) {
            return of(request.address()).claim(request);
        }

        @Override
        public boolean renew(Ticket ticket, Duration lease) {
            return of(ticket.address()).renew(ticket, lease);
        }

        @Override
        public Settled settle(Ticket ticket, Settlement how) {
            return of(ticket.address()).settle(ticket, how);
        }

        @Override
        public Optional<Entry> find(Address address) {
            return of(address).find(address);
        }

        @Override
        public boolean resolve(Address address, Fence seen, Settlement how) {
            return inner.resolve(address, seen, unsigned(how));
        }

        private static Settlement unsigned(Settlement how) {
            ResolvedBy signed = how.resolution();
            boolean given = signed != null && (signed.who() != null || signed.why() != null);
            if (given) {
                ResolvedBy by = new ResolvedBy(signed.who(), signed.why(), signed.request(), null);
                return how instanceof Settlement.Completed done
                        ? new Settlement.Completed(done.result(), done.effect(), done.retention(), by)
                        : new Settlement.NotExecuted(by, ((Settlement.NotExecuted) how).retention());
            } else if (how instanceof Settlement.NotExecuted not) {
                return new Settlement.NotExecuted(not.evidence().replaceAll(SIGNATURE, ""), not.retention());
            } else if (how instanceof Settlement.Completed done && done.note() != null) {
                String note = done.note().replaceAll(SIGNATURE, "");
                return new Settlement.Completed(
                        done.result(), done.effect(), done.retention(), note.isEmpty() ? null : note, null);
            }
            return how;
        }

        @Override
        public void close() {
            super.close();
            name.close();
        }
    }
}
