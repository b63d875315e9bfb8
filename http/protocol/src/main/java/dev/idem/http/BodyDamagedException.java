package dev.idem.http;

import java.io.IOException;

/** The body of a request is not what its content type says, so it can't be read. The guard answers with 400. */
public final class BodyDamagedException extends IOException {
    private static final long serialVersionUID = 1;

    public BodyDamagedException(String message, Throwable cause) {
        super(message, cause);
    }
}
