package dev.idem.server;

import java.util.Locale;

/** The kind of an error. An error means that the request got no answer from the ledger; endings are answers. */
public enum ApiError {
    /** The request can't be understood, or asks for something that is not allowed. Nothing was done. */
    MALFORMED(-32602, 400),
    /** There is no token, or it is not known any more. Nothing was done. */
    UNAUTHORISED(-32001, 401),
    /** The token does not allow it, or not in this scope. Nothing was done. */
    FORBIDDEN(-32003, 403),
    /** The request or the client's protocol or ledger does not fit this server. Nothing was done. */
    MISMATCH(-32009, 409),
    /** The request is larger than the server takes. Nothing was done. */
    TOO_LARGE(-32013, 413),
    /** The server has too much to do, or is ending. Nothing was done. */
    BUSY(-32029, 429),
    /** The ledger gave no answer. The step may have been made: send the same request again. */
    LEDGER_UNAVAILABLE(-32053, 503),
    /** The ledger or the entry can't be read, for instance without its seal key. Nothing was done. */
    UNREADABLE(-32022, 500),
    /** An error of the server itself. The step may have been made: send the same request again. */
    INTERNAL(-32603, 500);

    private final int number;
    private final int status;

    ApiError(int number, int status) {
        this.number = number;
        this.status = status;
    }

    /** The number in a JSON-RPC error. */
    public int number() {
        return number;
    }

    /** The status in an answer over HTTP. */
    public int status() {
        return status;
    }

    /** The word for programs. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
