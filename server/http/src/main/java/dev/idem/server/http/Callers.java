package dev.idem.server.http;

import dev.idem.server.Caller;
import org.eclipse.jetty.server.Request;

/** Tells who sends a request. */
interface Callers {
    /** The sender; throws {@link dev.idem.server.ApiException} if it is not known. */
    Caller of(Request request);
}
