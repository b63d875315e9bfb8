package dev.idem.spi.store;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.LedgerUnreadableException;
import dev.idem.State;
import dev.idem.spi.EntryStore.Row;
import dev.idem.spi.Moment;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects the rows of a list that can't be read: each is named, and hides no other row. */
final class UnreadableRows {
    private final StoreLedger ledger;
    private final Query query;
    private final Map<Address, Page.Unreadable> met = new LinkedHashMap<>();

    UnreadableRows(StoreLedger ledger, Query query) {
        this.ledger = ledger;
        this.query = query;
    }

    /** A row as it counts now; null when it is over or can't be read. */
    @Nullable
    Entry read(Row row, Moment now) {
        try {
            return ledger.viewed(row, now);
        } catch (LedgerUnreadableException e) {
            add(new Page.Unreadable(row.at(), String.valueOf(e.getMessage())));
            return null;
        }
    }

    /** The state of a row as it counts now; the stored one if the row can't be read; null when it is over. */
    static @Nullable State stateOf(Row row, StoreLedger ledger, Moment now) {
        try {
            Entry entry = ledger.viewed(row, now);
            return entry == null ? null : entry.state();
        } catch (LedgerUnreadableException e) {
            return row.state();
        }
    }

    /** Adds a row that the store itself could not read. Its state and its labels are unknown. */
    void add(Page.Unreadable row) {
        if (query.matches(row.address()) && met.putIfAbsent(row.address(), row) == null) {
            System.getLogger("dev.idem").log(Level.WARNING, () -> "a list leaves out an entry: " + row.why());
        }
    }

    List<Page.Unreadable> list() {
        return List.copyOf(met.values());
    }
}
