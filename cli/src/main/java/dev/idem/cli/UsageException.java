package dev.idem.cli;

/** The line can't be understood, or asks for something that makes no sense. Nothing was run. */
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UsageException(String message) {
        super(message, null, false, false);
    }
}
