package dev.idem.spi;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** A ledger that renews many tickets in one step. */
public interface GroupRenewing {
    /** Prolongs each lease, counted from now, and tells which were not prolonged. */
    Unrenewed renewAll(Map<Ticket, Duration> leases);

    /**
     * The tickets that were not renewed.
     *
     * @param lost those that are no longer current
     * @param unanswered those of which it is not known, such as those whose entry somebody holds locked: one of them
     *     does not keep the others from being renewed
     */
    record Unrenewed(Set<Ticket> lost, Set<Ticket> unanswered) {
        /** Makes both unmodifiable. */
        public Unrenewed {
            lost = Set.copyOf(lost);
            unanswered = Set.copyOf(unanswered);
        }

        /** All were asked, and these are lost. */
        public static Unrenewed lost(Set<Ticket> lost) {
            return new Unrenewed(lost, Set.of());
        }
    }
}
