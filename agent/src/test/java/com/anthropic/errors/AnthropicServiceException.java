package com.anthropic.errors;

/** Stands in for the SDK's class of this name, with the accessors that are read. */
public class AnthropicServiceException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;
    private final transient Headers headers;

    public AnthropicServiceException(int status, Headers headers) {
        super("status " + status);
        this.status = status;
        this.headers = headers;
    }

    public int statusCode() {
        return status;
    }

    public Headers headers() {
        return headers;
    }
}
