package dev.idem.server.notice;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.State;
import dev.idem.agent.approval.ApprovalRequest;
import dev.idem.agent.approval.Approvals;
import dev.idem.agent.inbox.Poison;
import dev.idem.server.Access;
import dev.idem.spi.Doubt;
import dev.idem.spi.Result;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Match;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What needs a person now, as the ledger says. Only one thread may look.
 *
 * <p>Doubts are found by the index of entries that are not complete. Events that were given up stand among all events of
 * the inboxes, so a look at them may take long where there are many. They are looked at rarely enough that it takes a
 * twentieth of the time.
 */
final class Needs {
    /** How many of each kind are looked at. */
    static final int MOST = 20_000;

    /** A look takes at most this part of the time. */
    static final int PART = 20;

    private static final int PAGE = 500;
    /** Entries of events have the bodies of these. */
    private static final int PAGE_OF_EVENTS = 50;
    /** The package of a class in a doubt tells people nothing. */
    private static final Pattern PACKAGE = Pattern.compile("\\b(?:[a-z_][a-z0-9_]*\\.)+(?=[A-Z])");

    private final Browsable ledger;
    private final Approvals approvals;
    private List<Need> givenUp = List.of();
    private long eventsFrom = System.nanoTime();

    Needs(Idem idem) {
        this.ledger = idem.ledger()
                .as(Browsable.class)
                .orElseThrow(() -> new IllegalArgumentException(
                        "the ledger " + idem.ledger().describe()
                                + " can't be browsed, so nobody can be told about its entries. Leave out the notices"));
        this.approvals = Approvals.on(idem);
    }

    List<Need> look() {
        if (System.nanoTime() - eventsFrom >= 0) {
            long began = System.nanoTime();
            givenUp = events();
            long now = System.nanoTime();
            eventsFrom = now + PART * (now - began);
        }
        return Stream.of(doubts(), held(), givenUp).flatMap(List::stream).toList();
    }

    private List<Need> doubts() {
        Query doubted = Query.all().withStates(State.IN_DOUBT).withLimit(PAGE);
        return find(doubted, entry -> true).stream()
                .map(entry -> {
                    Doubt doubt = Objects.requireNonNull(entry.doubt());
                    // A probe has a fence of its own, and the doubt that it leaves is the same one.
                    String mark = entry.tenure().acted().toString();
                    return new Need(
                            Kind.IN_DOUBT,
                            entry.address(),
                            mark,
                            doubt.since(),
                            PACKAGE.matcher(doubt.reason()).replaceAll(""),
                            entry.labels());
                })
                .toList();
    }

    private List<Need> held() {
        return approvals.pending().stream()
                .sorted((one, other) -> one.requestedAt().compareTo(other.requestedAt()))
                .limit(MOST)
                .map(Needs::held)
                .toList();
    }

    /** The summary of a request may hold secrets, so it is not told. */
    private static Need held(ApprovalRequest request) {
        return new Need(
                Kind.HELD,
                new Address(request.session(), request.tool(), request.callKey()),
                request.key(),
                request.requestedAt(),
                "a person can allow it until " + request.expiresAt(),
                Map.of());
    }

    private List<Need> events() {
        Query letters = Query.all()
                .withScopes(List.of(Match.prefix(Poison.scope(""))))
                .withOperation(Poison.OPERATION)
                .withStates(State.COMPLETE)
                .withLimit(PAGE_OF_EVENTS);
        // Without a body it was handed to the program's own code.
        return find(
                        letters,
                        entry -> entry.result() instanceof Result.Stored stored
                                && stored.payload().bytes().length > 0)
                .stream()
                .map(entry -> new Need(
                        Kind.GIVEN_UP,
                        entry.address(),
                        entry.fence().toString(),
                        entry.times().claimed(),
                        "its handler failed " + entry.labels().getOrDefault("attempts", "too many") + " times",
                        entry.labels()))
                .toList();
    }

    private List<Entry> find(Query query, Predicate<Entry> wanted) {
        List<Entry> found = new ArrayList<>();
        @Nullable String after = null;
        do {
            Page page = ledger.browse(query.withOldestFirst().withAfter(after));
            page.entries().stream()
                    .filter(entry -> !Access.isInternal(entry.address().scope()) && wanted.test(entry))
                    .map(entry -> entry.withSettlement(null))
                    .forEach(found::add);
            after = page.next();
        } while (after != null && found.size() < MOST);
        return found;
    }
}
