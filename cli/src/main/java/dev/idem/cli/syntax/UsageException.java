package dev.idem.cli.syntax;

/** The line is invalid. Nothing was run. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public UsageException(String message) {
        super(message, null, false, false);
    }
}
