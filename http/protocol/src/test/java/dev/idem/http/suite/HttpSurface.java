package dev.idem.http.suite;

import dev.idem.http.HttpRules;
import java.util.function.Supplier;

/** A server under test. An exception of the handler reaches the client as 500. */
public interface HttpSurface extends AutoCloseable {
    /** Sends a request and waits for the response. */
    Received send(Sent request) throws Exception;

    @Override
    void close();

    /** Starts a server. */
    @FunctionalInterface
    interface Opener {
        /**
         * Starts a server with an empty ledger.
         *
         * @param handler called once for each run of the handler; its work is what the handler does next
         */
        HttpSurface open(HttpRules rules, Supplier<Work> handler) throws Exception;
    }
}
