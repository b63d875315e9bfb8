package dev.idem.examples.checkout;

import java.io.IOException;
import java.util.Map;

/** The services of others: payments, mail and orders. */
interface Services {
    /** Asks a service to do something, and hands it the key; not all services look at it. */
    String post(String path, Map<String, ?> body, String key) throws IOException, InterruptedException;

    /** Asks a service what it has. */
    String get(String path) throws IOException, InterruptedException;
}
