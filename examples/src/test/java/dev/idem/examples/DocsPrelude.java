package dev.idem.examples;

import com.sun.net.httpserver.HttpServer;
import dev.idem.Idem;
import dev.idem.RemoteKeys;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The declarations that the code in the README and the docs may use. A block of statements becomes the body of
 * {@link #run()} in a subclass of this class.
 */
public abstract class DocsPrelude implements AutoCloseable {
    /** An open Idem, where a block does not open one itself. */
    protected final Idem idem = Idem.builder().ledger("memory:").quiet().open();

    /** A payment provider that deduplicates by the key it is handed. */
    protected static final RemoteKeys STRIPE = new RemoteKeys("Stripe", Duration.ofHours(24));

    protected final Payments payments = new Payments();
    protected final FlakyPayments flakyPayments = new FlakyPayments();
    protected final Mailer mailer = new Mailer();
    protected final Agent agent = new Agent();
    protected final Customers customers = new Customers();

    private final AtomicInteger requests = new AtomicInteger();
    private HttpServer service;

    /** A task of an agent, given by its caller. */
    protected final String task = "order-flow-abc123";

    /** The receipt of a payment. */
    public record Receipt(String id, long cents) {}

    /** A request that is built before it is sent. */
    protected record MailRequest(String to, String body) {}

    /** The code of the block. */
    protected abstract void run() throws Exception;

    /** The URL of a payment service on this host. It loses its first response, and deduplicates by the key. */
    protected final URI chargesUrl() throws IOException {
        HttpServer started = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service = started;
        started.createContext("/", exchange -> {
            String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
            byte[] receipt = payments.charge(4200, key).id().getBytes(StandardCharsets.UTF_8);
            if (requests.incrementAndGet() > 1) {
                exchange.sendResponseHeaders(201, receipt.length);
                exchange.getResponseBody().write(receipt);
            }
            exchange.close();
        });
        started.start();
        return URI.create("http://127.0.0.1:" + started.getAddress().getPort() + "/charges");
    }

    @Override
    public void close() {
        if (service != null) {
            service.stop(0);
        }
        idem.close();
    }

    /** Stands in for a payment provider. */
    protected static final class Payments {
        private final Map<String, Receipt> made = new HashMap<>();

        public Receipt charge(long cents, String idempotencyKey) {
            return made.computeIfAbsent(idempotencyKey, key -> new Receipt("ch_" + (made.size() + 1), cents));
        }

        public Optional<Receipt> find(String idempotencyKey) {
            return Optional.ofNullable(made.get(idempotencyKey));
        }
    }

    /** Stands in for a payment provider whose first response gets lost. */
    protected static final class FlakyPayments {
        private final Map<String, String> made = new HashMap<>();
        private int asked;

        public String refund(String order, String idempotencyKey) throws SocketTimeoutException {
            String refund = made.computeIfAbsent(idempotencyKey, key -> "re_" + (made.size() + 1) + " of " + order);
            if (++asked == 1) {
                throw new SocketTimeoutException("the refund was made, and its response was lost");
            }
            return refund;
        }

        public int asked() {
            return asked;
        }

        public int refunds() {
            return made.size();
        }
    }

    /** Stands in for a mail server. */
    protected static final class Mailer {
        private final List<MailRequest> sent = new ArrayList<>();

        public MailRequest compose(String to, String body) {
            return new MailRequest(to, body);
        }

        public String send(MailRequest mail) {
            sent.add(mail);
            return "message-" + sent.size();
        }
    }

    /** Stands in for a table that takes every row it is given. */
    protected static final class Customers {
        private final List<String> rows = new ArrayList<>();

        public Optional<String> find(String email) {
            return rows.stream().filter(row -> row.endsWith(email)).findFirst();
        }

        public String create(String email) {
            rows.add("row " + (rows.size() + 1) + ": " + email);
            return rows.get(rows.size() - 1);
        }
    }

    /** Stands in for an agent. */
    protected static final class Agent {
        public Map<String, Object> run(Map<String, ?> payload) {
            return Map.of("answer", payload.size());
        }
    }
}
