package dev.idem.http.suite;

import dev.idem.http.Response;

/**
 * The work of the handler when it runs.
 *
 * @param how how the response reaches the client
 */
public record Work(How how, Response response) {
    public enum How {
        ANSWERS,
        /** The handler sets its headers, apart from the content type, when it has written the body. */
        ANSWERS_HEADERS_LAST,
        /** The handler writes the response itself, while it runs. */
        STREAMS,
        /** The handler throws an exception that says nothing about its effect. */
        THROWS,
        THROWS_NOT_EXECUTED
    }

    public static Work answers(int status, String contentType, String text) {
        return answers(Response.of(status).body(contentType, text));
    }

    public static Work answers(Response response) {
        return new Work(How.ANSWERS, response);
    }

    public static Work answersHeadersLast(Response response) {
        return new Work(How.ANSWERS_HEADERS_LAST, response);
    }

    public static Work streams(int status, String text) {
        return new Work(How.STREAMS, Response.of(status).body("text/event-stream", text));
    }

    public static Work throwing() {
        return new Work(How.THROWS, Response.of(500));
    }

    /** The handler sets the headers of a response, and then throws. */
    public static Work throwingNotExecutedAfter(Response headers) {
        return new Work(How.THROWS_NOT_EXECUTED, headers);
    }

    public static Work throwingNotExecuted() {
        return new Work(How.THROWS_NOT_EXECUTED, Response.of(503));
    }
}
