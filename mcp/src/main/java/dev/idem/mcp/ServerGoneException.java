package dev.idem.mcp;

/** The server has gone before it answered: it is unknown what it did. */
final class ServerGoneException extends Exception {
    private static final long serialVersionUID = 1;

    ServerGoneException(String message) {
        super(message);
    }
}
