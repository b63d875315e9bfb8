package dev.idem.mcp;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** A host that was made with somebody else's client. */
interface ClientHost extends AutoCloseable {
    /** The names of the tools of the server. */
    List<String> tools() throws IOException;

    /**
     * Calls a tool.
     *
     * @return the members of the result, as far as the client shows them
     * @throws IOException if the client throws
     */
    Map<?, ?> call(String tool, Map<String, Object> arguments) throws IOException;

    /** The methods of the notifications that have arrived so far. */
    List<String> heard() throws IOException;

    /** Closes the connection, as the client does it. */
    @Override
    void close() throws IOException;

    /** The texts of a result. */
    static String text(Map<?, ?> result) {
        StringBuilder text = new StringBuilder();
        for (Object block : (List<?>) result.get("content")) {
            text.append(((Map<?, ?>) block).get("text")).append('\n');
        }
        return text.toString().strip();
    }

    /** The mark of the guard; empty where there is none. */
    static String status(Map<?, ?> result) {
        return result.get("_meta") instanceof Map<?, ?> meta && meta.get("dev.idem/status") instanceof String status
                ? status
                : "";
    }
}
