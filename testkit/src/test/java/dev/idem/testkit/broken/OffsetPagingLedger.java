package dev.idem.testkit.broken;

import dev.idem.Entry;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import java.util.List;
import java.util.Optional;

/** Counts pages from the top, so that what comes and goes shifts them. */
public final class OffsetPagingLedger extends PlainLedger {
    /** A broken handle on a store. */
    public OffsetPagingLedger(PlainStore store, LedgerContext context) {
        super(store, context);
    }

    @Override
    public Page browse(Query query) {
        String after = query.after();
        long skip = after == null ? 0 : Listing.number(after);
        List<Entry> rest = Listing.matching(
                        store().all().stream()
                                .map(entry -> Optional.ofNullable(view(entry, now())))
                                .flatMap(Optional::stream),
                        query,
                        now().wall())
                .skip(skip)
                .toList();
        return rest.size() <= query.limit()
                ? new Page(rest, null)
                : new Page(rest.subList(0, query.limit()), Long.toString(skip + query.limit()));
    }
}
