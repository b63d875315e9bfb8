package dev.idem.testkit.broken;

import dev.idem.Entry;
import dev.idem.State;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Moment;
import dev.idem.spi.Retention;
import org.jspecify.annotations.Nullable;

/** Purges what is in doubt after a while, and so lets it run again. */
public final class DoubtPurgingLedger extends PlainLedger {
    /** A broken handle on a store. */
    public DoubtPurgingLedger(PlainStore store, LedgerContext context) {
        super(store, context);
    }

    @Override
    protected @Nullable Entry purged(Entry entry, Moment now) {
        boolean old = now.wall().isAfter(entry.times().claimed().plus(Retention.DEFAULT.keep()));
        return entry.state() == State.IN_DOUBT && old ? null : super.purged(entry, now);
    }
}
