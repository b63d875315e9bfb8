package dev.idem.http.client;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.agent.provider.Provider;
import dev.idem.agent.retry.Retry;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.ForwardingLedger;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A process that sends many requests at once. Those with a point of the ledger as their key stop there and wait to be
 * killed; the others are stopped by their remotes.
 */
final class KilledCaller {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private KilledCaller() {}

    /** Arguments: the ledger; then for each point its key, the remote without keys, and the remote that knows keys. */
    public static void main(String[] arguments) throws Exception {
        List<Thread> callers = new ArrayList<>();
        try (Idem idem = Idem.builder()
                .ledger(new StoppingLedger(Ledgers.open(arguments[0])))
                .quiet()
                .open()) {
            for (int i = 1; i < arguments.length; i += 3) {
                String key = arguments[i];
                URI plain = URI.create(arguments[i + 1]);
                URI keyed = URI.create(arguments[i + 2]);
                callers.add(new Thread(() -> send(idem, null, plain, key)));
                callers.add(new Thread(() -> send(idem, Provider.STRIPE, keyed, key)));
            }
            callers.forEach(Thread::start);
            for (Thread caller : callers) {
                caller.join();
            }
        }
    }

    /** Sends one charge, with one try. */
    static int send(Idem idem, @Nullable Provider provider, URI uri, String key) {
        IdemHttpClient client = IdemHttpClient.of(idem, HTTP).retry(Retry.none());
        HttpRequest charge = HttpRequest.newBuilder(uri)
                .POST(BodyPublishers.ofString(ClientCases.CHARGE))
                .build();
        try {
            return (provider == null ? client : client.provider(provider))
                    .send(charge, BodyHandlers.ofString(), key)
                    .statusCode();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class StoppingLedger extends ForwardingLedger {
        StoppingLedger(Ledger inner) {
            super(inner);
        }

        @Override
        public Claim claim(ClaimRequest request) {
            at("before-the-claim", request.address());
            Claim claim = inner.claim(request);
            at("after-the-claim", request.address());
            return claim;
        }

        @Override
        public Settled settle(Ticket ticket, Settlement how) {
            at("before-the-record", ticket.address());
            Settled settled = inner.settle(ticket, how);
            at("after-the-record", ticket.address());
            return settled;
        }

        private static void at(String here, Address address) {
            if (here.equals(address.key())) {
                System.out.println("stopped");
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }
}
