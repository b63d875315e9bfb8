package dev.idem.cli.recorded;

import dev.idem.NotExecutedException;
import org.jspecify.annotations.Nullable;

/** The command was not started, or certainly did not begin. Nothing happened. */
public final class NotStarted extends NotExecutedException {
    private static final long serialVersionUID = 1;

    private final int exitCode;

    public NotStarted(int exitCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** 126 or 127, as in a shell; or 128 plus the number of the signal that came before. */
    public int exitCode() {
        return exitCode;
    }
}
