package dev.idem.torture.broken;

import dev.idem.Entry;
import dev.idem.State;
import dev.idem.spi.ForwardingLedger;
import dev.idem.spi.Ledger;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.Stats;
import java.util.Optional;

/** Forgets tombstones when it purges, so that what has expired runs again. */
final class TomblessLedger extends ForwardingLedger {
    TomblessLedger(Ledger inner) {
        super(inner);
    }

    @Override
    @SuppressWarnings("unchecked") // the wrapped capability has the requested type
    public <C> Optional<C> as(Class<C> capability) {
        Optional<C> found = inner.as(capability);
        return capability == Browsable.class
                ? (Optional<C>) found.map(each -> new Purger((Browsable) each, inner))
                : found;
    }

    private record Purger(Browsable entries, Ledger ledger) implements Browsable {
        @Override
        public Page browse(Query query) {
            return entries.browse(query);
        }

        @Override
        public int purge(int limit) {
            for (Entry tombstone :
                    entries.browse(Query.all().withStates(State.EXPIRED)).entries()) {
                ledger.forget(tombstone);
            }
            return entries.purge(limit);
        }

        @Override
        public Stats stats() {
            return entries.stats();
        }
    }
}
