package dev.idem.server;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.spi.Settlement;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a filter that no ledger has an index for. They are looked for among the entries that the rest of the filter
 * finds, some thousands for each page: a page may be shorter than asked for and still have a next one.
 *
 * @param parent the call that the entries ran inside of
 * @param resolvedBy the person who has resolved them
 */
record Sieve(@Nullable Address parent, @Nullable String resolvedBy) {
    private static final int LOOKED_AT = 20_000;
    private static final int AT_A_TIME = 1000;

    static Sieve of(Params params) {
        Params parent = params.objectOrNull("parent");
        String resolvedBy = params.textOrNull("resolved_by");
        if (parent == null) {
            return new Sieve(null, resolvedBy);
        }
        Address address =
                new Address(parent.text("scope", Address.DEFAULT_SCOPE), parent.text("operation"), parent.text("key"));
        parent.end();
        return new Sieve(address, resolvedBy);
    }

    Page page(Browsable ledger, Query query) {
        if (parent == null && resolvedBy == null) {
            return ledger.browse(query);
        }
        List<Entry> found = new ArrayList<>();
        List<Page.Unreadable> unreadable = new ArrayList<>();
        @Nullable String after = query.after();
        for (int looked = 0; looked < LOOKED_AT; looked += AT_A_TIME) {
            Page page = ledger.browse(query.withAfter(after).withLimit(AT_A_TIME));
            unreadable.addAll(page.unreadable());
            for (Entry entry : page.entries()) {
                if (passes(entry)) {
                    found.add(entry);
                    if (found.size() == query.limit()) {
                        return new Page(found, entry.fence().toString(), unreadable);
                    }
                }
            }
            after = page.next();
            if (after == null) {
                break;
            }
        }
        return new Page(found, after, unreadable);
    }

    private boolean passes(Entry entry) {
        return (parent == null || parent.equals(entry.parent()))
                && (resolvedBy == null || isResolvedBy(resolvedBy, entry.note()));
    }

    private static boolean isResolvedBy(String who, @Nullable String note) {
        String told = Settlement.told(who, null);
        return note != null
                && (note.equals(told) || note.startsWith(told + ": ") || note.startsWith(told + " (request "));
    }
}
