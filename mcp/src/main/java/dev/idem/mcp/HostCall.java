package dev.idem.mcp;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A tool call that a host waits for. It loses its host when the host cancels it; the call itself goes on. */
final class HostCall {
    private final Message request;
    private boolean attached = true;
    private double progress;
    private boolean serverReports;

    HostCall(Message request) {
        this.request = request;
    }

    Message request() {
        return request;
    }

    synchronized void detach() {
        attached = false;
    }

    synchronized boolean isAttached() {
        return attached;
    }

    /** The JSON text of the host's progress token; null where it gave none. */
    @Nullable
    String token() {
        return request.meta("progressToken") == null ? null : request.text("params", "_meta", "progressToken");
    }

    /** Whether to pass on what the server reports: values only grow. */
    synchronized boolean reports(double value) {
        boolean grows = attached && value > progress;
        serverReports = true;
        progress = grows ? value : progress;
        return grows;
    }

    /** The next value of a sign of life, smaller than what servers report; null where none is to be sent. */
    synchronized @Nullable String sign() {
        if (!attached || serverReports) {
            return null;
        }
        progress += 0.0001;
        return String.format(Locale.ROOT, "%.4f", progress);
    }
}
