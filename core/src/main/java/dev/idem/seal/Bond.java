package dev.idem.seal;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Ticket;
import org.jspecify.annotations.Nullable;

/**
 * Binds a seal to the address and to the settled attempt, so that it opens nowhere else.
 *
 * <p>For an owner's settle the fence of its ticket identifies the attempt: the entry's own fence or, for the late
 * completion of a doubted attempt, that of the attempt that acted last. A resolve gives the entry a new, unpredictable
 * fence; it is identified by the fence that was seen and the id of the resolved attempt, which the entry keeps.
 *
 * @param kind who settled it: {@link #OWNER} or {@link #PERSON}
 * @param fence of the ticket, or the one that was seen
 * @param attempt the resolved attempt; zeros for an owner's settle, which the fence identifies
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

    /** The bond of a seal that was found on an entry; null if that entry can't have such a seal. */
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
