package dev.idem.cli.webhook;

import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.util.concurrent.TimeoutException;

/**
 * The end of one delivery.
 *
 * @param status of the answer; 0 without one
 * @param text the body of the answer, or why there is none
 */
record Delivered(Kind kind, int status, String text) {
    enum Kind {
        ACCEPTED,
        REFUSED,
        FAILED,
        UNREACHABLE,
        TIMED_OUT,
        CLOSED
    }

    static Delivered answered(int status, String body) {
        Kind kind = status / 100 == 2 ? Kind.ACCEPTED : status / 100 == 5 ? Kind.FAILED : Kind.REFUSED;
        return new Delivered(kind, status, body);
    }

    static Delivered failed(Throwable why) {
        if (why instanceof ConnectException || why instanceof HttpConnectTimeoutException) {
            String told = why.getMessage();
            return new Delivered(Kind.UNREACHABLE, 0, told == null ? "no connection" : told);
        } else if (why instanceof HttpTimeoutException || why instanceof TimeoutException) {
            return new Delivered(Kind.TIMED_OUT, 0, "no answer in time");
        }
        String told = why.getMessage();
        return new Delivered(Kind.CLOSED, 0, told == null ? why.toString() : told);
    }

    /** Whether nothing happened at the endpoint. */
    boolean isNothing() {
        return kind == Kind.UNREACHABLE || kind == Kind.REFUSED;
    }
}
