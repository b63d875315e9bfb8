package com.openai.errors;

import java.util.Optional;

/** Stands in for the SDK's class of this name, with the accessors that are read. */
public class OpenAIServiceException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;
    private final String code;

    public OpenAIServiceException(int status, String code) {
        super("status " + status);
        this.status = status;
        this.code = code;
    }

    public int statusCode() {
        return status;
    }

    public Optional<String> code() {
        return Optional.ofNullable(code);
    }
}
