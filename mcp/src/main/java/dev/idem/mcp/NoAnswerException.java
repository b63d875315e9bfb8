package dev.idem.mcp;

/** The server has gone before it answered, or its answer can't be read: it is unknown what it did. */
final class NoAnswerException extends Exception {
    private static final long serialVersionUID = 1;

    NoAnswerException(String message) {
        super(message);
    }
}
