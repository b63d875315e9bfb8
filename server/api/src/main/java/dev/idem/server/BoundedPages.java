package dev.idem.server;

import dev.idem.Entry;
import dev.idem.spi.Result;
import dev.idem.spi.Settlement;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Counts;
import dev.idem.spi.browse.Figures;
import dev.idem.spi.browse.LabelNames;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.Stats;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A ledger whose pages end when their entries have some megabytes. The rest is on the next page. It asks for a few entries
 * first, and for as many as fit when it has seen how large they are.
 */
record BoundedPages(Browsable ledger) implements Browsable {
    /** Of a page. One entry is given however large it is. */
    static final long MOST_BYTES = Api.LARGEST_REQUEST;

    private static final int FIRST = 4;

    @Override
    public Page browse(Query query) {
        List<Entry> found = new ArrayList<>();
        List<Page.Unreadable> unreadable = new ArrayList<>();
        long bytes = 0;
        Query rest = query.withLimit(Math.min(FIRST, query.limit()));
        while (true) {
            Page page = ledger.browse(rest);
            unreadable.addAll(page.unreadable());
            int fitting = 0;
            for (Entry entry : page.entries()) {
                bytes += bytes(entry);
                if (bytes > MOST_BYTES && !found.isEmpty()) {
                    return new Page(found, fitting == 0 ? rest.after() : behind(page, fitting, rest), unreadable);
                }
                found.add(entry);
                fitting++;
            }
            if (page.next() == null || found.size() >= query.limit() || bytes > MOST_BYTES) {
                return new Page(found, page.next(), unreadable);
            }
            long each = 1 + bytes / Math.max(1, found.size());
            // The next ones may be larger: a step at most doubles what was seen.
            long more = Math.min(Math.max(1, (MOST_BYTES - bytes) / each), Math.max(FIRST, found.size()));
            rest = query.withAfter(page.next()).withLimit((int) Math.min(query.limit() - found.size(), more));
        }
    }

    /** Where a page goes on behind some of these entries. Only a ledger whose places are fences lets us make one. */
    @Nullable
    String behind(Page page, int count, Query query) {
        String next = page.next();
        return next != null && next.chars().allMatch(Character::isDigit)
                ? page.entries().get(count - 1).fence().toString()
                : ledger.browse(query.withLimit(count)).next();
    }

    /** About as many bytes as the texts of an entry and its result have. */
    static long bytes(Entry entry) {
        long bytes = 512L + entry.tenure().owner().name().length();
        for (var label : entry.labels().entrySet()) {
            bytes += label.getKey().length() + label.getValue().length();
        }
        if (entry.failure() != null) {
            bytes += entry.failure().type().length() + entry.failure().message().length();
        }
        if (entry.note() != null) {
            bytes += entry.note().length();
        }
        if (entry.settlement() instanceof Settlement.Completed done) {
            bytes += done.result() instanceof Result.Stored stored
                    ? stored.payload().bytes().length
                    : ((Result.Unavailable) done.result()).why().length();
        }
        return bytes;
    }

    @Override
    public int purge(int limit) {
        return ledger.purge(limit);
    }

    @Override
    public OptionalLong purgeable() {
        return ledger.purgeable();
    }

    @Override
    public Stats stats() {
        return ledger.stats();
    }

    @Override
    public Counts counts(Query query) {
        return ledger.counts(query);
    }

    @Override
    public Optional<Figures> figures(Query query) {
        return ledger.figures(query);
    }

    @Override
    public LabelNames labelNames() {
        return ledger.labelNames();
    }

    @Override
    public void countReplay(Entry answered) {
        ledger.countReplay(answered);
    }

    @Override
    public void writeCounts() {
        ledger.writeCounts();
    }
}
