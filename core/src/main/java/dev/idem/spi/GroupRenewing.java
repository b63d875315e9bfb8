package dev.idem.spi;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** A ledger that renews many tickets in one step. */
public interface GroupRenewing {
    /** Renews each lease, counted from now, and returns the tickets that were not renewed. */
    Unrenewed renewAll(Map<Ticket, Duration> leases);

    /**
     * The tickets that were not renewed.
     *
     * @param lost tickets that are no longer current
     * @param unanswered tickets with an unknown answer, for instance because another transaction has locked the
     *     entry; the others are renewed all the same
     */
    record Unrenewed(Set<Ticket> lost, Set<Ticket> unanswered) {
        /** Makes both unmodifiable. */
        public Unrenewed {
            lost = Set.copyOf(lost);
            unanswered = Set.copyOf(unanswered);
        }

        /** All tickets were answered, and these are lost. */
        public static Unrenewed lost(Set<Ticket> lost) {
            return new Unrenewed(lost, Set.of());
        }
    }
}
