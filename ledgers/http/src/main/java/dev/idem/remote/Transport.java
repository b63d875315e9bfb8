package dev.idem.remote;

import java.io.IOException;
import java.time.Duration;

/** Sends requests to a server. Thread-safe. An interrupt does not end a request: it stays pending. */
interface Transport extends AutoCloseable {
    /**
     * Sends a request once, and returns its whole answer.
     *
     * @param timeout for the connection and the answer together
     * @throws java.net.ConnectException if there is no connection, so that nothing was sent
     * @throws java.net.SocketTimeoutException if there is no answer in time
     * @throws IOException if the connection was lost; the request may have been carried out
     */
    Reply post(String method, byte[] body, Duration timeout) throws IOException;

    @Override
    void close();

    /** An answer as it came. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Reply(int status, byte[] body) {}
}
