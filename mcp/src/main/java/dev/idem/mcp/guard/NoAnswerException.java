package dev.idem.mcp.guard;

/** The server has gone before it answered, or its answer can't be read: it is unknown what it did. */
public final class NoAnswerException extends Exception {
    private static final long serialVersionUID = 1;

    public NoAnswerException(String message) {
        super(message);
    }
}
