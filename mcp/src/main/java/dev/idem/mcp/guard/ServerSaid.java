package dev.idem.mcp.guard;

import org.jspecify.annotations.Nullable;

/** A response of the server that is no result: the caller gets it unchanged. */
final class ServerSaid extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Message response;

    ServerSaid(Message response, String message) {
        super(message, null, false, false);
        this.response = response;
    }

    /** The response in the causes of an exception; null where there is none. */
    static @Nullable Message in(@Nullable Throwable thrown) {
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            if (each instanceof ServerSaid said) {
                return said.response;
            }
        }
        return null;
    }
}
