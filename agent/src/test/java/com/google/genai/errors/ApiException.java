package com.google.genai.errors;

/** Stands in for the SDK's class of this name, with the accessors that are read. */
public class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int code;

    public ApiException(int code) {
        super("code " + code);
        this.code = code;
    }

    public int code() {
        return code;
    }
}
