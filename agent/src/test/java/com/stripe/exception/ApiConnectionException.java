package com.stripe.exception;

/** Stands in for the library's class of this name. */
public class ApiConnectionException extends StripeException {
    private static final long serialVersionUID = 1;

    public ApiConnectionException(Throwable cause) {
        super(0, cause);
    }
}
