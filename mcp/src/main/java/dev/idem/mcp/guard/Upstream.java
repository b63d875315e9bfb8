package dev.idem.mcp.guard;

import java.util.concurrent.CompletableFuture;

/** The server behind the guard. */
public interface Upstream {
    /**
     * Sends a request under an id of its own.
     *
     * @return the response; ends with {@link NoAnswerException} if the server has gone before it answered
     * @throws dev.idem.NotExecutedException if the server does not run, so that nothing was sent
     */
    CompletableFuture<Message> send(Message request, HostCall from);

    /** Whether a server that gives no answer is known to have ended. Over a network it may go on without its connection. */
    default boolean endsAreSeen() {
        return true;
    }
}
