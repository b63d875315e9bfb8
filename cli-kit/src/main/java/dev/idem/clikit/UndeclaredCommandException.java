package dev.idem.clikit;

/** A command does not say what it does to the world, or says it in a way that can't be. The program does not start. */
public final class UndeclaredCommandException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    UndeclaredCommandException(String message) {
        super(message);
    }
}
