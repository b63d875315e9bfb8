package dev.idem.http;

/** The decision of the guard about a request. */
public sealed interface Reply {
    /** The request is not guarded. Nothing ran: call the handler as if there were no guard. */
    record Unguarded() implements Reply {}

    /** Send this response, with these headers and no others of the handler. */
    record Send(Response response, Origin origin) implements Reply {}

    /** The handler has sent its response itself, as a stream. Nothing is left to send. */
    record Streamed() implements Reply {}

    /** The origin of a response. */
    enum Origin {
        /** The handler, which ran for this request. */
        HANDLER,
        /** An earlier request with the same key. */
        REPLAY,
        /** The guard: a problem. Nothing ran for this request. */
        PROBLEM
    }
}
