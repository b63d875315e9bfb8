package dev.idem;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by an action to say that nothing happened and nothing will: the one exception that is always definite. The
 * entry fails, and may be run again.
 */
public class NotExecutedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public NotExecutedException(String message) {
        super(message);
    }

    public NotExecutedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
