package dev.idem.mcp;

import dev.idem.mcp.guard.Message;
import java.util.Map;

/** Asks a server, one question after the other, within a time limit. Not thread-safe. */
interface Conversation extends AutoCloseable {
    /** Sends a request and waits for its answer, which may be an error. */
    Message ask(String method, Map<String, Object> params) throws NoToolListException, InterruptedException;

    /** Sends a message that has no answer. */
    void tell(String method) throws NoToolListException, InterruptedException;

    /** The output of the server that is no message; empty if it wrote only messages. */
    String other();

    @Override
    void close();
}
