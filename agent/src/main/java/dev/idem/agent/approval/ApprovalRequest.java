package dev.idem.agent.approval;

import dev.idem.Address;
import java.time.Instant;

/**
 * A call that waits for an approval.
 *
 * @param key the key of this request, for {@code approve} and {@code deny}
 * @param session that wants to make the call
 * @param summary one line for the person: the tool and all of its arguments
 * @param callKey the key of the call itself
 * @param requestedAt when it was first asked for
 * @param expiresAt until when it may be decided
 */
public record ApprovalRequest(
        String key,
        String session,
        String tool,
        String summary,
        String callKey,
        Instant requestedAt,
        Instant expiresAt) {
    /** The call that waits. */
    public Address call() {
        return new Address(session, tool, callKey);
    }

    /** The summary may hold secrets. */
    @Override
    public String toString() {
        return "ApprovalRequest[" + key + " for " + tool + " in " + session + "]";
    }
}
