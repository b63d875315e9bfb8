package dev.idem.clikit;

/** A command has no declaration, or a contradictory one. The program does not start. */
public final class UndeclaredCommandException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    /** The message says what to declare. */
    public UndeclaredCommandException(String message) {
        super(message);
    }
}
