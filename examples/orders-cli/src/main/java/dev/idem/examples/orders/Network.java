package dev.idem.examples.orders;

import dev.idem.clikit.Refusal;
import java.io.IOException;
import java.net.SocketTimeoutException;

/**
 * The way to the services, with the faults that real ones have.
 *
 * @param fault {@code 503} answers before anything is done; {@code 503-after} and {@code timeout-after} lose the answer
 *     of what was done; anything else works
 */
record Network(String fault) {
    /** Something that a service does. */
    interface Request<T> {
        T send() throws Exception;
    }

    <T> T send(Request<T> request) throws Exception {
        if (fault.equals("503")) {
            throw Refusal.unavailable("SERVICE_UNAVAILABLE", "the service answers 503, before it has done anything");
        }
        T answer = request.send();
        if (fault.equals("timeout-after")) {
            throw new SocketTimeoutException("the service took the request and did not answer in time");
        } else if (fault.equals("503-after")) {
            throw new IOException("the service answers 503, and nobody knows what it has done");
        }
        return answer;
    }
}
