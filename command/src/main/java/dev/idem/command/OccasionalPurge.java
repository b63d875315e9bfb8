package dev.idem.command;

import dev.idem.LedgerException;
import dev.idem.Outcome;
import dev.idem.spi.Fence;
import dev.idem.spi.Ledger;
import dev.idem.spi.browse.Browsable;

/** Purges some expired entries now and then: a process that lives for one call never runs the background purge. */
public final class OccasionalPurge {
    /** One call in this many purges, after its own work. */
    private static final int EVERY = 64;

    private static final int AT_MOST = 500;

    private OccasionalPurge() {}

    /** Purges if it is the turn of this call. */
    public static void after(Outcome<?> outcome, Ledger ledger) {
        Fence fence =
                outcome instanceof Outcome.Done<?> done ? done.provenance().fence() : null;
        if (fence != null && fence.number() % EVERY == 0) {
            try {
                ledger.as(Browsable.class).ifPresent(browsable -> browsable.purge(AT_MOST));
            } catch (LedgerException e) {
                // The call itself is recorded; a later call will purge.
                return;
            }
        }
    }
}
