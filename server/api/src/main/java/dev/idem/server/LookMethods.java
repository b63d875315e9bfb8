package dev.idem.server;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.State;
import dev.idem.agent.approval.Approvals;
import dev.idem.spi.FieldLimits;
import dev.idem.spi.Ledger;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Historied;
import dev.idem.spi.browse.LabelNames;
import dev.idem.spi.browse.Match;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.Stats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
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

    /** So many names of labels are asked for a value, each by the index. */
    private static final int MOST_NAMES = 500;

    private static final Duration NAMES_KEPT_FOR = Duration.ofMinutes(1);

    private final Ledger ledger;
    private final Results results;
    private final Shared<List<Match>, Stats> stats = new Shared<>(Duration.ofSeconds(5), System::nanoTime);
    private final Approvals approvals;
    private final Shared<String, LabelNames> labelNames = new Shared<>(NAMES_KEPT_FOR, System::nanoTime);

    LookMethods(Ledger ledger, Results results, Approvals approvals) {
        this.ledger = ledger;
        this.results = results;
        this.approvals = approvals;
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
                                        .with(
                                                "resolution",
                                                line.resolution() == null ? null : EntryFields.of(line.resolution()))
                                        .members())
                                .toList());
    }

    Answer browse(Params params, Caller caller) {
        Query query = page(params);
        Sieve sieve = Sieve.of(params, approvals);
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

    /** The filter of a request for a page. */
    static Query page(Params params) {
        return query(params).withAfter(params.textOrNull("after")).withLimit((int)
                params.number("limit", PAGE, 1, MOST_ON_A_PAGE));
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

    Answer stats(Params params, Caller caller) throws InterruptedException {
        params.end();
        Stats stats = stats(params.access());
        Map<String, @Nullable Object> entries = new LinkedHashMap<>();
        for (State state : State.values()) {
            entries.put(state.word(), stats.count(state));
        }
        return Answer.of("done").with("entries", entries).with("replays", stats.replays());
    }

    /** The numbers of the scopes that may be read, without the few entries of notices. */
    Stats stats(Access access) throws InterruptedException {
        if (!access.mayEverywhere(Right.READ)) {
            List<Match> scopes = access.within(List.of());
            // Every entry of these scopes is read.
            return stats.get(scopes, () -> counted(scopes));
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

    /**
     * Known scopes, operations, label names or values of a label that begin with a prefix, among the newest entries; or the
     * labels with a whole value, among all entries.
     */
    Answer suggest(Params params, Caller caller) throws InterruptedException {
        String of = params.text("of");
        String label = params.textOrNull("label");
        String prefix = params.text("prefix", "");
        String value = params.textOrNull("value");
        params.end();
        List<Match> scopes = params.access().within(List.of());
        if (of.equals("label") && value != null) {
            return labelled(value, scopes);
        }
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
                    .filter(entry -> !of.equals("label")
                            || !Access.isInternalOperation(entry.address().operation()))
                    .flatMap(entry -> names(of, label, entry))
                    .filter(name -> name.length() <= FieldLimits.NAME && name.startsWith(prefix))
                    .forEach(found::add);
            looked += page.entries().size();
            after = page.next();
        } while (after != null && looked < LOOKED_AT);
        return Answer.of("done")
                .with("names", found.stream().limit(MOST_SUGGESTED).toList());
    }

    /** The index of labels is asked for each name that is in use: which one has the value, people do not know. */
    private Answer labelled(String value, List<Match> scopes) throws InterruptedException {
        LabelNames names = labelNames.get("", () -> browsable().labelNames());
        Query all = Query.all().withScopes(scopes);
        // The caller's own first, also those that have come since the names were kept.
        Set<String> asked = new LinkedHashSet<>();
        calls(browsable().browse(all.withLimit(MOST_ON_A_PAGE)))
                .forEach(entry -> asked.addAll(entry.labels().keySet()));
        asked.addAll(new TreeSet<>(names.names()));
        boolean whole = names.all() && asked.size() <= MOST_NAMES;
        List<String> found = new ArrayList<>();
        for (String name : asked.stream().limit(MOST_NAMES).toList()) {
            Page page = browsable().browse(all.withLabels(Map.of(name, value)).withLimit(MOST_SUGGESTED));
            if (calls(page).findAny().isPresent()) {
                found.add(name + "=" + value);
            } else if (page.next() != null) {
                // A page of Idem's own entries: there may be others behind it.
                whole = false;
            }
        }
        return Answer.of("done").with("names", found.stream().sorted().toList()).with("all", whole);
    }

    /** The entries of a page that are not Idem's own. */
    private static Stream<Entry> calls(Page page) {
        return page.entries().stream()
                .filter(entry -> !Access.isInternalOperation(entry.address().operation()));
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
        return ledger.as(Browsable.class)
                .map(BoundedPages::new)
                .orElseThrow(() -> ApiException.malformed("this ledger can't be browsed"));
    }

    /** One page of entries in doubt for a bulk request. */
    List<Entry> doubts(Params filter, int most) {
        Query query = query(filter).withStates(State.IN_DOUBT).withLimit(most);
        Sieve sieve = Sieve.of(filter, approvals);
        filter.end();
        return sieve.page(browsable(), query, null).entries();
    }
}
