package dev.idem.server;

import org.jspecify.annotations.Nullable;

/** A request that gets an error instead of an answer. The message says what to do. */
public final class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final ApiError error;

    public ApiException(ApiError error, String message) {
        this(error, message, null);
    }

    public ApiException(ApiError error, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.error = error;
    }

    static ApiException malformed(String message) {
        return new ApiException(ApiError.MALFORMED, message);
    }

    public ApiError error() {
        return error;
    }
}
