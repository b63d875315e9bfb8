package dev.idem.ledger;

import dev.idem.entry.Ticket;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** A ledger that renews many tickets in one step. */
public interface GroupRenewing {
    /** Prolongs each lease, counted from now. The tickets that are no longer current are returned. */
    Set<Ticket> renewAll(Map<Ticket, Duration> leases);
}
