package dev.idem.mcp.http;

import java.util.Set;

/** A response of the server's HTTP layer to a call, such as 401. The host gets it unchanged, because it knows what to do. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record HttpRefusal(int status, HttpHeaders headers, byte[] body) {
    /** The request was turned away before a tool could see it. Not 406: it may be decided when there is a response. */
    private static final Set<Integer> NOTHING_RAN = Set.of(400, 401, 403, 404, 405, 411, 413, 414, 415, 421, 429, 431);

    boolean saysNothingRan() {
        return NOTHING_RAN.contains(status);
    }
}
