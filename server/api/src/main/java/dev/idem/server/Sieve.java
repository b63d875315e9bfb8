package dev.idem.server;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.State;
import dev.idem.agent.approval.Approvals;
import dev.idem.spi.Doubt;
import dev.idem.spi.Failure;
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
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a filter that no ledger has an index for. They are looked for among the entries that the rest of the filter
 * finds, some thousands for each page: a page may be shorter than asked for and still have a next one.
 *
 * @param parent the call that the entries ran inside of
 * @param resolvedBy the person who has resolved or approved them, or the token or user through which that was done
 * @param approved the calls whose approval was decided so
 * @param minAttempt how often they were tried at least
 * @param message a part of what their newest failure or doubt says, in capital or small letters
 */
public record Sieve(
        @Nullable Address parent,
        @Nullable String resolvedBy,
        Set<Address> approved,
        int minAttempt,
        @Nullable String message) {
    /** Lets everything through. */
    public static final Sieve OPEN = new Sieve(null, null, Set.of(), 1, null);

    private static final int LOOKED_AT = 20_000;
    private static final int AT_A_TIME = 1000;

    static Sieve of(Params params, Approvals approvals) {
        Params parent = params.objectOrNull("parent");
        String resolvedBy = params.textOrNull("resolved_by");
        Set<Address> approved = resolvedBy == null ? Set.of() : approvals.decidedBy(resolvedBy);
        int minAttempt = (int) params.number("min_attempt", 1, 1, Integer.MAX_VALUE);
        String message = params.textOrNull("message");
        if (parent == null) {
            return new Sieve(null, resolvedBy, approved, minAttempt, message);
        }
        Address address =
                new Address(parent.text("scope", Address.DEFAULT_SCOPE), parent.text("operation"), parent.text("key"));
        parent.end();
        return new Sieve(address, resolvedBy, approved, minAttempt, message);
    }

    /** Whether everything is let through. */
    public boolean isOpen() {
        return parent == null && resolvedBy == null && minAttempt <= 1 && message == null;
    }

    /** Only what has failed or is in doubt has a message, and the ledgers have an index for these. */
    public Query narrowed(Query query) {
        return message != null && query.states().isEmpty() ? query.withStates(State.FAILED, State.IN_DOUBT) : query;
    }

    /**
     * A page of a search.
     *
     * @param span where the entries inside of the parent stand, if that is known
     */
    Page page(Browsable ledger, Query filter, @Nullable Span span) {
        Query asked = narrowed(filter);
        if (isOpen()) {
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

    /** Whether an entry is let through. */
    public boolean passes(Entry entry) {
        return (parent == null || parent.equals(entry.parent()))
                && entry.attempt() >= minAttempt
                && (message == null || says(message, entry.failure(), entry.doubt()))
                && (resolvedBy == null
                        || isResolvedBy(resolvedBy, entry.resolution())
                        || approved.contains(entry.address()));
    }

    private static boolean says(String text, @Nullable Failure failure, @Nullable Doubt doubt) {
        String part = text.toLowerCase(Locale.ROOT);
        return Stream.of(
                        failure == null ? "" : failure.type(),
                        failure == null ? "" : failure.message(),
                        doubt == null ? "" : doubt.reason())
                .anyMatch(each -> each.toLowerCase(Locale.ROOT).contains(part));
    }

    private static boolean isResolvedBy(String who, @Nullable ResolvedBy by) {
        return by != null && (who.equals(by.who()) || who.equals(by.caller()));
    }
}
