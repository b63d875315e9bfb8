package dev.idem.server;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.State;
import dev.idem.spi.Ledger;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Historied;
import dev.idem.spi.browse.Match;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.Stats;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The methods that only look. Payloads are given by {@code result} alone. */
final class LookMethods {
    private static final int PAGE = 100;
    private static final int MOST_ON_A_PAGE = 1000;
    /** How many of the newest entries {@code suggest} looks at. */
    private static final int LOOKED_AT = 2000;

    private static final int MOST_SUGGESTED = 20;
    private static final long CENTURY = Duration.ofDays(36_525).toMillis();

    private final Ledger ledger;
    private final Results results;

    LookMethods(Ledger ledger, Results results) {
        this.ledger = ledger;
        this.results = results;
    }

    Answer find(Params params, Caller caller) {
        Entry entry = ledger.find(only(params, Right.READ)).orElse(null);
        return entry == null ? Answer.of("none") : Answer.of("found").with("entry", EntryFields.of(entry));
    }

    Answer result(Params params, Caller caller) {
        Entry entry = ledger.find(only(params, Right.PAYLOADS)).orElse(null);
        if (entry == null) {
            return Answer.of("none");
        }
        Answer answer = Answer.of(entry.state().word());
        return entry.state() == State.COMPLETE ? results.add(answer, entry) : answer;
    }

    private static Address only(Params params, Right right) {
        Address address = params.address(right);
        params.end();
        return address;
    }

    Answer trail(Params params, Caller caller) {
        Address address = only(params, Right.READ);
        return Answer.of("done")
                .with(
                        "trail",
                        historied().trail(address).stream()
                                .map(line -> new Answer()
                                        .with("at", line.at())
                                        .with("fence", line.fence())
                                        .with("event", line.event())
                                        .with("detail", line.detail())
                                        .members())
                                .toList());
    }

    Answer browse(Params params, Caller caller) {
        Query query = query(params).withAfter(params.textOrNull("after")).withLimit((int)
                params.number("limit", PAGE, 1, MOST_ON_A_PAGE));
        Sieve sieve = Sieve.of(params);
        params.end();
        Page page = sieve.page(browsable(), query, query.oldestFirst() ? span(sieve.parent(), params.access()) : null);
        return Answer.of("done")
                .with(
                        "entries",
                        page.entries().stream()
                                .filter(entry -> !query.scopes().isEmpty()
                                        || !Access.isNotice(entry.address().scope()))
                                .map(EntryFields::of)
                                .toList())
                .with("next", page.next())
                .with(
                        "unreadable",
                        page.unreadable().isEmpty()
                                ? null
                                : page.unreadable().stream()
                                        .map(each -> {
                                            Map<String, @Nullable Object> one = EntryFields.of(each.address());
                                            one.put("why", each.why());
                                            return one;
                                        })
                                        .toList());
    }

    private Sieve.@Nullable Span span(@Nullable Address parent, Access access) {
        Historied trails = ledger.as(Historied.class).orElse(null);
        if (parent == null || trails == null || !access.may(Right.READ, parent.scope())) {
            return null;
        }
        return ledger.find(parent)
                .map(call -> Sieve.Span.of(call, trails.trail(parent)))
                .orElse(null);
    }

    /** The filter of a request: states, scope, operation, key, labels and age. */
    static Query query(Params params) {
        State[] states = params.texts("states").stream()
                .map(word -> Arrays.stream(State.values())
                        .filter(state -> state.word().equals(word))
                        .findFirst()
                        .orElseThrow(() -> ApiException.malformed("'states': '" + word + "' is not known; use "
                                + Arrays.stream(State.values()).map(State::word).collect(Collectors.joining(", ")))))
                .toArray(State[]::new);
        Query query = Query.all()
                .withStates(states)
                .withScopes(params.access().within(matches(params, "scope")))
                .withOperation(params.textOrNull("operation"))
                .withKeyLike(matches(params, "key").stream().findFirst().orElse(null))
                .withLabels(params.textMap("labels"))
                .withAge(age(params, "older_than_ms"), age(params, "newer_than_ms"));
        return params.flag("oldest_first") ? query.withOldestFirst() : query;
    }

    /** A name, or what it begins with. */
    private static List<Match> matches(Params params, String name) {
        String exact = params.textOrNull(name);
        String prefix = params.textOrNull(name + "_prefix");
        if (exact != null && prefix != null) {
            throw ApiException.malformed("give '" + name + "' or '" + name + "_prefix', not both");
        }
        return exact != null
                ? List.of(Match.exactly(exact))
                : prefix != null ? List.of(Match.prefix(prefix)) : List.of();
    }

    private static @Nullable Duration age(Params params, String name) {
        long millis = params.number(name, -1, 0, CENTURY);
        return millis < 0 ? null : Duration.ofMillis(millis);
    }

    Answer stats(Params params, Caller caller) {
        params.end();
        Stats stats = stats(params.access());
        Map<String, @Nullable Object> entries = new LinkedHashMap<>();
        for (State state : State.values()) {
            entries.put(state.word(), stats.count(state));
        }
        return Answer.of("done").with("entries", entries).with("replays", stats.replays());
    }

    /** The numbers of the scopes that may be read, without the few entries of notices. */
    Stats stats(Access access) {
        if (!access.mayEverywhere(Right.READ)) {
            return counted(access.within(List.of()));
        }
        Stats notices = counted(Access.NOTICE_SCOPES);
        Stats all = browsable().stats();
        Map<State, Long> counts = new EnumMap<>(State.class);
        all.entries().forEach((state, count) -> counts.put(state, Math.max(0, count - notices.count(state))));
        return new Stats(counts, Math.max(0, all.replays() - notices.replays()));
    }

    private Stats counted(List<Match> scopes) {
        Map<State, Long> counts = new EnumMap<>(State.class);
        long replays = 0;
        Query query = Query.all().withScopes(scopes).withLimit(MOST_ON_A_PAGE);
        Page page = browsable().browse(query);
        while (true) {
            for (Entry entry : page.entries()) {
                counts.merge(entry.state(), 1L, Long::sum);
                replays += entry.replays();
            }
            if (page.next() == null) {
                return new Stats(counts, replays);
            }
            page = browsable().browse(query.withAfter(page.next()));
        }
    }

    /** Known scopes, operations, label names or values of a label that begin with a prefix, among the newest entries. */
    Answer suggest(Params params, Caller caller) {
        String of = params.text("of");
        String label = params.textOrNull("label");
        String prefix = params.text("prefix", "");
        params.end();
        List<Match> scopes = params.access().within(List.of());
        Set<String> found = new TreeSet<>();
        @Nullable String after = null;
        int looked = 0;
        do {
            Page page = browsable()
                    .browse(Query.all()
                            .withScopes(scopes)
                            .withLimit(MOST_ON_A_PAGE)
                            .withAfter(after));
            page.entries().stream()
                    .flatMap(entry -> names(of, label, entry))
                    .filter(name -> name.startsWith(prefix))
                    .forEach(found::add);
            looked += page.entries().size();
            after = page.next();
        } while (after != null && looked < LOOKED_AT);
        return Answer.of("done")
                .with("names", found.stream().limit(MOST_SUGGESTED).toList());
    }

    private static Stream<String> names(String of, @Nullable String label, Entry entry) {
        if (of.equals("label") && label != null) {
            return Stream.ofNullable(entry.labels().get(label));
        }
        return switch (of) {
            case "scope" -> Stream.of(entry.address().scope());
            case "operation" -> Stream.of(entry.address().operation());
            case "label" -> entry.labels().keySet().stream();
            default -> throw ApiException.malformed("'of' must be scope, operation or label");
        };
    }

    Historied historied() {
        return ledger.as(Historied.class).orElseThrow(() -> ApiException.malformed("this ledger keeps no trail"));
    }

    Browsable browsable() {
        return ledger.as(Browsable.class).orElseThrow(() -> ApiException.malformed("this ledger can't be browsed"));
    }

    /** One page of entries for a bulk request. */
    List<Entry> items(Query query) {
        return browsable().browse(query).entries();
    }
}
