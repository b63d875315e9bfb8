package com.google.api.gax.rpc;

/** Stands in for the library's class of this name, with the accessors that are read. */
public class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient StatusCode code;

    public ApiException(StatusCode.Code code) {
        super("code " + code);
        this.code = new StatusCode(code);
    }

    public StatusCode getStatusCode() {
        return code;
    }

    /** Stands in for the library's status. */
    public record StatusCode(Code code) {
        public Code getCode() {
            return code;
        }

        /** Some of the codes. */
        public enum Code {
            RESOURCE_EXHAUSTED,
            UNAVAILABLE,
            NOT_FOUND
        }
    }
}
