package dev.idem.examples;

import dev.idem.AlreadyProcessed;
import dev.idem.ConflictException;
import dev.idem.InDoubtException;
import dev.idem.InFlightException;
import dev.idem.RequestStore;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A web handler that marks its requests by hand: a form that is submitted twice is worked on once. */
public final class RequestHandler {
    private final RequestStore store;
    private final Consumer<Map<String, ?>> check;
    private final Function<Map<String, ?>, Map<String, ?>> agent;

    /**
     * A handler of one kind of request.
     *
     * @param check refuses a payload with an {@link IllegalArgumentException}, and has no effect
     * @param agent does the work
     */
    public RequestHandler(
            RequestStore store, Consumer<Map<String, ?>> check, Function<Map<String, ?>, Map<String, ?>> agent) {
        this.store = store;
        this.check = check;
        this.agent = agent;
    }

    /** The response: an HTTP status, a word, and the result if there is one. */
    public record Reply(int status, String word, @Nullable Object result) {}

    /** Handles a request. Its id comes from the caller: the same for the same logical request. */
    public Reply handle(String requestId, Map<String, ?> payload) {
        try {
            store.markInProgress(requestId, payload);
        } catch (AlreadyProcessed e) {
            return new Reply(200, "already_processed", resultOf(requestId));
        } catch (InFlightException e) {
            return new Reply(409, "in_progress", null);
        } catch (ConflictException e) {
            return new Reply(422, "conflict", null);
        } catch (InDoubtException e) {
            return new Reply(500, "in_doubt", null);
        }
        try {
            check.accept(payload);
        } catch (IllegalArgumentException e) {
            // The agent has not begun, so nothing happened, and the same id may be sent again. The same exception from
            // the agent would prove nothing: it may have charged before it parsed a number.
            store.markNotExecuted(requestId, e.getMessage());
            return new Reply(400, "refused", null);
        } catch (RuntimeException e) {
            store.markNotExecuted(requestId, "the check of its payload failed: " + e);
            throw e;
        }
        Map<String, ?> result;
        try {
            result = agent.apply(payload);
        } catch (RuntimeException e) {
            // In doubt, unless it is a NotExecutedException: some of the agent's tools may have acted.
            store.markFailed(requestId, e);
            throw e;
        }
        store.markComplete(requestId, result);
        return new Reply(200, "complete", result);
    }

    private @Nullable Object resultOf(String requestId) {
        return store.result(requestId).orElseThrow().value();
    }
}
