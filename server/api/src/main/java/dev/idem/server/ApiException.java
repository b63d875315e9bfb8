package dev.idem.server;

import dev.idem.spi.FieldLimits;
import org.jspecify.annotations.Nullable;

/** A request that gets an error instead of an answer. The message says what to do. */
public final class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final ApiError error;

    public ApiException(ApiError error, String message) {
        this(error, message, null);
    }

    public ApiException(ApiError error, String message, @Nullable Throwable cause) {
        // It may show a part of the request.
        super(FieldLimits.cut(message, FieldLimits.TEXT), cause);
        this.error = error;
    }

    static ApiException malformed(String message) {
        return new ApiException(ApiError.MALFORMED, message);
    }

    public ApiError error() {
        return error;
    }
}
