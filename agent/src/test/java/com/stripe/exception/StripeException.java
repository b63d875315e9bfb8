package com.stripe.exception;

/** Stands in for the library's class of this name, with the accessors that are read. */
public class StripeException extends Exception {
    private static final long serialVersionUID = 1;

    private final Integer status;

    public StripeException(Integer status, Throwable cause) {
        super("status " + status, cause);
        this.status = status;
    }

    public Integer getStatusCode() {
        return status;
    }
}
