package dev.idem.http.client;

import dev.idem.IdemException;
import dev.idem.Provenance;
import dev.idem.http.Response;
import org.jspecify.annotations.Nullable;

/**
 * The end of a guarded request that has a response.
 *
 * @param from the origin of a recorded response; null where the response is not the result of its request
 * @param doubt why the request may have taken effect, in spite of its response; null where there is no doubt
 */
record Answer(
        Response response,
        @Nullable Provenance from,
        @Nullable IdemException doubt) {
    /** Set on a response that was not sent by the remote now, but read from the ledger. */
    static final String REPLAYED = "Idem-Replayed";

    boolean replayed() {
        return from != null && from.replayed();
    }
}
