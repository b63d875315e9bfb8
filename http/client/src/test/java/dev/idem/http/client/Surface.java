package dev.idem.http.client;

import dev.idem.Idem;
import dev.idem.agent.provider.Provider;
import dev.idem.agent.retry.Retry;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A client, as the table of cases uses it. */
@FunctionalInterface
interface Surface {
    /** The answer that a caller gets: a status, and whether Idem replayed it. */
    record Got(int status, String body, boolean replayed) {}

    /**
     * Sends a charge, each time with the same body.
     *
     * @param provider the declaration of a remote that knows keys; null for one that does not
     * @param limit how long a request may take
     */
    Got send(Idem idem, @Nullable Provider provider, Retry retry, URI uri, String key, Duration limit)
            throws IOException, InterruptedException;
}
