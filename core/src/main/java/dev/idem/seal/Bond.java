package dev.idem.seal;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Ticket;
import org.jspecify.annotations.Nullable;

/**
 * What a seal is bound to, so that it opens nowhere else: the address, and the attempt that was settled.
 *
 * <p>An owner settles by its ticket, and is known by the ticket's fence: the entry's own, or, for the late completion
 * of a doubted attempt, that of the attempt that acted last. A resolve gives the entry a fence that nobody knows
 * before; it is known by the fence that was seen and the id of the attempt that was resolved, which the entry keeps.
 *
 * @param kind by whose word it was settled: {@link #OWNER} or {@link #PERSON}
 * @param fence of the ticket, or the one that was seen
 * @param attempt the attempt that was resolved; zeros for an owner's settle, whose fence says as much
 */
record Bond(Address address, byte kind, long fence, AttemptId attempt) {
    static final byte OWNER = 0;
    static final byte PERSON = 1;

    private static final AttemptId NO_ATTEMPT = new AttemptId(0, 0);

    static Bond of(Ticket ticket) {
        return new Bond(ticket.address(), OWNER, ticket.fence().number(), NO_ATTEMPT);
    }

    static Bond ofResolved(Entry seen) {
        return new Bond(
                seen.address(), PERSON, seen.fence().number(), seen.tenure().attemptId());
    }

    /** The bond of a seal that is found on an entry; null when that entry can't have come by it. */
    static @Nullable Bond found(Entry entry, byte kind, long fence) {
        long newest = entry.fence().number();
        if (kind == OWNER && (fence == newest || fence == entry.tenure().acted().number())) {
            return new Bond(entry.address(), OWNER, fence, NO_ATTEMPT);
        } else if (kind == PERSON && fence < newest) {
            return new Bond(entry.address(), PERSON, fence, entry.tenure().attemptId());
        }
        return null;
    }
}
