package dev.idem.server;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.State;
import dev.idem.agent.approval.Approvals;
import dev.idem.spi.Fence;
import dev.idem.spi.ImportedRun;
import dev.idem.spi.ResolvedBy;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.TrailLine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a filter that no ledger has an index for. They are looked for among the entries that the rest of the filter
 * finds, some thousands for each page: a page may be shorter than asked for and still have a next one.
 *
 * @param parent the call that the entries ran inside of
 * @param resolvedBy the person who has resolved or approved them, or the token or user through which that was done
 * @param approved the calls whose approval was decided so
 */
record Sieve(@Nullable Address parent, @Nullable String resolvedBy, Set<Address> approved) {
    private static final int LOOKED_AT = 20_000;
    private static final int AT_A_TIME = 1000;

    static Sieve of(Params params, Approvals approvals) {
        Params parent = params.objectOrNull("parent");
        String resolvedBy = params.textOrNull("resolved_by");
        Set<Address> approved = resolvedBy == null ? Set.of() : approvals.decidedBy(resolvedBy);
        if (parent == null) {
            return new Sieve(null, resolvedBy, approved);
        }
        Address address =
                new Address(parent.text("scope", Address.DEFAULT_SCOPE), parent.text("operation"), parent.text("key"));
        parent.end();
        return new Sieve(address, resolvedBy, approved);
    }

    /**
     * A page of a search.
     *
     * @param span where the entries inside of the parent stand, if that is known
     */
    Page page(Browsable ledger, Query asked, @Nullable Span span) {
        if (parent == null && resolvedBy == null) {
            return ledger.browse(asked);
        }
        Query query = span != null && asked.after() == null ? asked.withAfter(span.begin(ledger, asked)) : asked;
        List<Entry> found = new ArrayList<>();
        List<Page.Unreadable> unreadable = new ArrayList<>();
        @Nullable String after = query.after();
        long bytes = 0;
        for (int looked = 0; looked < LOOKED_AT; looked += AT_A_TIME) {
            Query rest = query.withAfter(after).withLimit(AT_A_TIME);
            Page page = ledger.browse(rest);
            unreadable.addAll(page.unreadable());
            int seen = 0;
            for (Entry entry : page.entries()) {
                seen++;
                if (passes(entry)) {
                    found.add(entry);
                    bytes += BoundedPages.bytes(entry);
                    if (found.size() == query.limit() || bytes > BoundedPages.MOST_BYTES) {
                        return new Page(found, new BoundedPages(ledger).behind(page, seen, rest), unreadable);
                    }
                }
            }
            after = span != null && span.isOver(page) ? null : page.next();
            if (after == null) {
                break;
            }
        }
        return new Page(found, after, unreadable);
    }

    /**
     * Where the entries stand that ran inside of a call, oldest first: behind its first grant, and soon after its end.
     *
     * @param first the call's first grant
     * @param until when the search may end; null while the call may still run
     */
    record Span(Fence first, @Nullable Instant until) {
        /** A process that has lost its call may go on for a while. */
        private static final Duration STRAGGLING = Duration.ofHours(1);

        /** The span of a call; null where an import has given new times to it. */
        static @Nullable Span of(Entry call, List<TrailLine> trail) {
            if (trail.isEmpty() || ImportedRun.of(call.labels()) != null) {
                return null;
            }
            Instant settled =
                    call.state() == State.IN_DOUBT ? null : call.times().settled();
            return new Span(trail.get(0).fence(), settled == null ? null : settled.plus(STRAGGLING));
        }

        /** Some entries before the call: servers whose clocks differ give out fences in a slightly wrong order. */
        private String begin(Browsable ledger, Query query) {
            List<Entry> before = ledger.browse(Query.all()
                            .withScopes(query.scopes())
                            .withAfter(first.toString())
                            .withLimit(AT_A_TIME))
                    .entries();
            Fence oldest =
                    before.isEmpty() ? first : before.get(before.size() - 1).fence();
            return Long.toString(oldest.number() - 1);
        }

        private boolean isOver(Page page) {
            List<Entry> entries = page.entries();
            return until != null
                    && !entries.isEmpty()
                    && entries.get(entries.size() - 1).times().claimed().isAfter(until);
        }
    }

    private boolean passes(Entry entry) {
        return (parent == null || parent.equals(entry.parent()))
                && (resolvedBy == null
                        || isResolvedBy(resolvedBy, entry.resolution())
                        || approved.contains(entry.address()));
    }

    private static boolean isResolvedBy(String who, @Nullable ResolvedBy by) {
        return by != null && (who.equals(by.who()) || who.equals(by.caller()));
    }
}
