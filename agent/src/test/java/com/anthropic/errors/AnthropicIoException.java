package com.anthropic.errors;

/** Stands in for the SDK's class of this name. */
public final class AnthropicIoException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public AnthropicIoException(Throwable cause) {
        super("Request failed", cause);
    }
}
