package dev.idem.mcp;

/** A server did not list its tools. The message says why, on one line. */
public final class NoToolListException extends Exception {
    private static final long serialVersionUID = 1;

    private final Reason reason;

    /** Why there is no list. */
    public enum Reason {
        /** The time limit is over. */
        NO_ANSWER,
        /** There is no connection to the server. */
        NOT_REACHED,
        /** The server ended before it answered. */
        SERVER_ENDED,
        /** The server does not speak MCP. */
        NOT_MCP,
        /** The server answered with an error. */
        REFUSED
    }

    NoToolListException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
