package dev.idem.testkit.broken;

import dev.idem.Entry;
import dev.idem.internal.rules.Step;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Moment;
import dev.idem.spi.Ticket;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Lets any ticket prolong the lease, also one that was overtaken. */
public final class StaleHeartbeatLedger extends PlainLedger {
    /** A broken handle on a store. */
    public StaleHeartbeatLedger(PlainStore store, LedgerContext context) {
        super(store, context);
    }

    @Override
    protected Step<Boolean> renew(@Nullable Entry found, Ticket ticket, Duration lease, Moment now) {
        return rules().renew(found, found == null ? ticket : found.ticket(), lease, now);
    }
}
