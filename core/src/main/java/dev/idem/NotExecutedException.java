package dev.idem;

import org.jspecify.annotations.Nullable;

/**
 * An action throws it to report that it had no effect and will have none. It is always definite: the entry has failed
 * and the operation may run again.
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
