package dev.idem.examples.checkout;

import java.io.IOException;
import java.util.Map;

/** The services of others: payments, mail and orders. */
interface Services {
    /** Sends a request to a service with the key; not all services use it. */
    String post(String path, Map<String, ?> body, String key) throws IOException, InterruptedException;

    /** Reads from a service. */
    String get(String path) throws IOException, InterruptedException;
}
