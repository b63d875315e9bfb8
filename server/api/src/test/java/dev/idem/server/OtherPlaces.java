package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.Stats;

/** A ledger whose places are no fences, as those of Redis are. It refuses a place that it did not give. */
record OtherPlaces(Browsable ledger) implements Browsable {
    private static final String MARK = "place.";

    @Override
    public Page browse(Query query) {
        String after = query.after();
        assertThat(after == null || after.startsWith(MARK)).as(after).isTrue();
        Page page = ledger.browse(after == null ? query : query.withAfter(after.substring(MARK.length())));
        return new Page(page.entries(), page.next() == null ? null : MARK + page.next(), page.unreadable());
    }

    @Override
    public int purge(int limit) {
        return ledger.purge(limit);
    }

    @Override
    public Stats stats() {
        return ledger.stats();
    }
}
