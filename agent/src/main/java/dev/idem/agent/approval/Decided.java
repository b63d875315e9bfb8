package dev.idem.agent.approval;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.spi.ResolvedBy;
import dev.idem.spi.Settlement;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Match;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A decision of a person: how a doubt ended, or whether a call may be made.
 *
 * @param call the entry that was resolved, or the call that waited
 * @param as {@code complete}, {@code failed}, {@code approved} or {@code denied}
 * @param approval the key of the request for approval; null where a doubt was resolved
 */
public record Decided(
        Address call,
        String as,
        ResolvedBy person,
        Instant at,
        @Nullable String approval) {
    private static final int LOOKED_AT = 20_000;
    private static final int AT_A_TIME = 1000;

    /**
     * Some decisions, newest first.
     *
     * @param next where the next page begins; null at the end
     */
    public record Some(List<Decided> decisions, @Nullable String next) {}

    /** Whether this person, token or user has decided. */
    public boolean isBy(String name) {
        return name.equals(person.who()) || name.equals(person.caller());
    }

    /**
     * The decisions that the entries of a query still show. No ledger has an index for them: some thousands of entries are
     * looked at, so there may be fewer than the query's limit, or none, and still more to come.
     *
     * @param query its scopes and operation are those of the calls
     */
    public static Some browse(Browsable ledger, Approvals approvals, Query query, Predicate<Decided> wanted) {
        Query all = query.operation() == null ? query : query.withOperation(null);
        if (!query.scopes().isEmpty()) {
            all = all.withScopes(Stream.concat(query.scopes().stream(), Stream.of(Match.exactly(Approvals.SCOPE)))
                    .toList());
        }
        Predicate<Decided> asked = each -> isAbout(query, each.call()) && wanted.test(each);
        List<Decided> found = new ArrayList<>();
        @Nullable String after = query.after();
        for (int looked = 0; looked < LOOKED_AT; looked += AT_A_TIME) {
            Query rest = all.withAfter(after).withLimit(AT_A_TIME);
            Page page = ledger.browse(rest);
            int seen = 0;
            for (Entry entry : page.entries()) {
                seen++;
                of(entry, approvals).filter(asked).ifPresent(found::add);
                if (found.size() == query.limit()) {
                    // Only the ledger knows the names of its places.
                    return new Some(found, ledger.browse(rest.withLimit(seen)).next());
                }
            }
            after = page.next();
            if (after == null) {
                break;
            }
        }
        return new Some(found, after);
    }

    private static boolean isAbout(Query query, Address call) {
        return (query.operation() == null || query.operation().equals(call.operation()))
                && (query.scopes().isEmpty() || query.scopes().stream().anyMatch(each -> each.matches(call.scope())));
    }

    /** The decision that an entry shows; empty where it shows none. */
    private static Optional<Decided> of(Entry entry, Approvals approvals) {
        Address at = entry.address();
        if (at.scope().equals(Approvals.SCOPE) && at.operation().equals(ApprovalEntries.DECISION)) {
            return approvals
                    .find(at.key())
                    .flatMap(request -> approvals
                            .decision(at.key())
                            .map(made -> new Decided(
                                    request.call(),
                                    made.approved() ? "approved" : "denied",
                                    made.decider(),
                                    made.at(),
                                    at.key())));
        }
        ResolvedBy person = entry.resolution();
        return person == null
                ? Optional.empty()
                : Optional.of(new Decided(
                        at,
                        entry.settlement() instanceof Settlement.Completed ? "complete" : "failed",
                        person,
                        Objects.requireNonNullElse(
                                entry.times().settled(), entry.times().claimed()),
                        null));
    }
}
