package dev.idem.examples.orders;

import dev.idem.clikit.Refusal;
import java.io.IOException;
import java.net.SocketTimeoutException;

/**
 * The network to the services, with injected faults.
 *
 * @param fault {@code 503} answers before anything is done; {@code 503-after} and {@code timeout-after} act and lose
 *     the answer; anything else works
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
            throw new IOException("the service answers 503, and it is unknown what it has done");
        }
        return answer;
    }
}
