package dev.idem.http.webhook;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The result of a check. {@link #match} handles all cases without a default branch. */
public sealed interface Verification {
    /**
     * The request is the sender's. Its events have not been recorded: pass each to an inbox.
     *
     * @param events one, or as many as a sender of arrays has put into the request, in their order
     */
    record Accepted(List<WebhookEvent> events) implements Verification {
        /** Keeps a copy of the events. */
        public Accepted {
            events = List.copyOf(events);
        }
    }

    /**
     * The request is refused. Record nothing, and answer with the status of the reason.
     *
     * @param detail what is wrong and what to do, for the log; without secrets and without values of the request
     */
    record Refused(Reason reason, String detail) implements Verification {}

    /**
     * The sender asks whether the endpoint is there. There is no event: answer 200 with this body.
     *
     * @param contentType the content type of the answer
     * @param body the body of the answer
     */
    record Handshake(String contentType, String body) implements Verification {}

    /** Calls the function of this case. */
    default <R extends @Nullable Object> R match(
            Function<? super Accepted, ? extends R> whenAccepted,
            Function<? super Refused, ? extends R> whenRefused,
            Function<? super Handshake, ? extends R> whenHandshake) {
        if (this instanceof Accepted accepted) {
            return whenAccepted.apply(accepted);
        } else if (this instanceof Refused refused) {
            return whenRefused.apply(refused);
        }
        return whenHandshake.apply((Handshake) this);
    }
}
