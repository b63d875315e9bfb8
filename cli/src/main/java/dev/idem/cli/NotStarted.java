package dev.idem.cli;

import dev.idem.error.NotExecutedException;
import org.jspecify.annotations.Nullable;

/** The command was not started, or is known never to have begun. Nothing happened. */
final class NotStarted extends NotExecutedException {
    private static final long serialVersionUID = 1;

    private final int exitCode;

    NotStarted(int exitCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** 126 or 127, as a shell would give; or 128 and the number of the signal that came before. */
    int exitCode() {
        return exitCode;
    }
}
