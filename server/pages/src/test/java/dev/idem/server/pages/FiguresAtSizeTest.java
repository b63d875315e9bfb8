package dev.idem.server.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Json;
import dev.idem.State;
import dev.idem.lab.PostgresqlServer;
import dev.idem.server.Access;
import dev.idem.server.Caller;
import dev.idem.server.pages.BusyWeek.Happened;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Ledgers;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Figures.Kind;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import dev.idem.testkit.MemoryFolder;
import dev.idem.testkit.SettableClocks;
import dev.idem.testkit.SettableProcesses;
import dev.idem.testkit.Thorough;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each figure of the page of numbers and of {@code counts}, compared with what happened in a large ledger. */
@Tag("proof")
@Timeout(1800)
final class FiguresAtSizeTest extends PageCase {
    private static final int ENTRIES = Thorough.times(2000, 200_000);
    private static final int MOST_SHOWN = 100;
    /** Reads the page. Each look at an hour of a chart draws the page again, so some hours are looked at. */
    private static final String READ = """
            const all = css => [...document.querySelectorAll(css)], text = node => node.textContent.replace(/\\s+/g, ' ').trim();
            const { duration } = await import('./time.js'), [times, step] = arguments;
            const chart = async name => {
              const hours = {}, at = i => all(`[data-testid=chart-${name}] .over`)[i];
              for (let i = 0; at(i); i += step) {
                at(i).dispatchEvent(new PointerEvent('pointerenter'));
                await new Promise(go => setTimeout(go));
                hours[/\\((.*)\\)/.exec(at(i).querySelector('title').textContent)[1]] = text(document.querySelector(`[data-testid=chart-${name}] .readout`));
              }
              return [document.querySelector(`[data-testid=chart-${name}] svg`).getAttribute('aria-label'), hours];
            };
            return {
              total: text(document.querySelector('[data-testid=total]')),
              tiles: Object.fromEntries(all('.tile').map(each => [text(each.querySelector('.tile-name')), [text(each.querySelector('strong')), text(each.querySelector('.sub'))]])),
              rows: all('main tbody tr').map(row => [new URLSearchParams(row.querySelector('a').getAttribute('href').split(/\\?(.*)/s)[1]).get('operation'), [...row.querySelectorAll('td')].map(text).join(' ')]),
              foot: all('main tfoot td').map(text).join(' '),
              hints: all('main .hint').map(text).join(' '),
              runs: await chart('runs'), again: await chart('replays'),
              durations: times.map(ms => ms === null ? '–' : duration(ms)),
            };""";

    @TempDir(factory = MemoryFolder.class)
    Path memory;

    private BusyWeek week;
    private Ledger ledger;
    private SettableClocks clocks;

    @Test
    void onSqlite() throws Exception {
        clocks = new SettableClocks();
        String url = "sqlite:" + memory.resolve("shop.db");
        LedgerContext context = new LedgerContext(clocks, new SettableProcesses());
        compare(url, Ledgers.open(url, context), Ledgers.open(url, context));
    }

    @Test
    void onPostgresql() throws Exception {
        try (PostgresqlServer server = new PostgresqlServer(memory);
                Connection administrator = server.connect();
                Statement statement = administrator.createStatement()) {
            String url = server.url() + "?timeout=60s";
            LedgerContext context = LedgerContext.ofHost(Host.system());
            Ledger one = Ledgers.open(url, context);
            statement.execute(
                    "SET synchronous_commit = off; CREATE TABLE idem.clock AS SELECT clock_timestamp() AS now");
            for (String clock :
                    List.of("read_clock() RETURNS timestamptz STABLE", "write_clock() RETURNS timestamptz")) {
                statement.execute("CREATE OR REPLACE FUNCTION idem." + clock
                        + " LANGUAGE sql AS $$ SELECT now FROM idem.clock $$");
            }
            clocks = SettableClocks.wallOnly().followedBy(now -> set(statement, now));
            compare(url, one, Ledgers.open(url, context));
        }
    }

    private static void set(Statement statement, Instant now) {
        try {
            statement.execute("UPDATE idem.clock SET now = '" + now + "'");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void compare(String url, Ledger one, Ledger other) throws Exception {
        ledger = one;
        try (other) {
            week = new BusyWeek(one, other, clocks);
            week.pass(ENTRIES);
        }
        world.close();
        serve(new PageWorld(folder, url, one));
        assertStats();
        compare("operator", Access.ALL, scope -> true);
        compare("exact", Access.of(List.of("read"), List.of("acme/a")), "acme/a"::equals);
        compare(
                "prefix",
                Access.of(List.of("read"), List.of("acme/*", "shop")),
                scope -> scope.startsWith("acme/") || scope.equals("shop"));
        // One that sees nothing sees no figure of others.
        browser.open("about:blank");
        signIn("nobody", Access.of(List.of("read"), List.of("elsewhere")));
        go("numbers");
        untilShown("Nothing was called since");
        // Before its ledger ends.
        browser.open("about:blank");
        world.close();
        serve(new PageWorld(folder));
    }

    private void compare(String who, Access access, Predicate<String> scopes) throws Exception {
        browser.open("about:blank");
        signIn(who, access);
        for (int hours : new int[] {24, 7 * 24}) {
            Expected expected = new Expected(hours, scopes);
            expected.assertAnswered(json(world.api.call(
                    "counts",
                    "{\"newer_than_ms\":" + hours * 3_600_000L + "}",
                    new Caller(who, false, access, () -> true, () -> true, false))));
            String last = hours == 24 ? "24h" : "7d";
            go("numbers?last=" + last);
            until(
                    "document.querySelector('[aria-current=true]')?.innerText === arguments[0] && document.querySelector('[data-testid=chart-runs]')",
                    hours == 24 ? "24 hours" : "7 days");
            expected.assertShown();
        }
    }

    /** All entries are looked at one by one. */
    private void assertStats() {
        Map<String, Long> states = new TreeMap<>();
        entries(scope -> true).forEach(state -> states.merge(state.word(), 1L, Long::sum));
        for (State state : State.values()) {
            states.putIfAbsent(state.word(), 0L);
        }
        assertThat(json(world.as("ann", "stats", "{}")).get("entries")).isEqualTo(states);
    }

    private List<State> entries(Predicate<String> scopes) {
        List<State> states = new ArrayList<>();
        Browsable browsable = ledger.as(Browsable.class).orElseThrow();
        Page page = browsable.browse(Query.all().withLimit(1000));
        while (true) {
            page.entries().stream()
                    .filter(entry -> scopes.test(entry.address().scope()))
                    .forEach(entry -> states.add(entry.state()));
            if (page.next() == null) {
                return states;
            }
            page = browsable.browse(Query.all().withLimit(1000).withAfter(page.next()));
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> json(String text) {
        return (Map<String, @Nullable Object>) Json.parse(text);
    }

    /** Some of what happened. */
    private record Numbers(Map<Kind, Long> kinds, long[] took) {
        static Numbers of(Stream<Happened> some) {
            Map<Kind, Long> kinds = new HashMap<>();
            List<Long> took = new ArrayList<>();
            some.forEach(one -> {
                kinds.merge(one.kind, 1L, Long::sum);
                if (one.millis >= 0) {
                    took.add(one.millis);
                }
            });
            return new Numbers(
                    kinds, took.stream().mapToLong(each -> each).sorted().toArray());
        }

        long count(Kind kind) {
            return kinds.getOrDefault(kind, 0L);
        }

        long tries() {
            return Arrays.stream(Kind.values()).mapToLong(this::count).sum() - count(Kind.DUPLICATE);
        }

        /** The shortest time within which so many of a hundred ended. */
        @Nullable
        Long within(int percent) {
            return took.length == 0 ? null : took[(int) ((took.length * (long) percent + 99) / 100) - 1];
        }

        /** The cells of a row of the table. */
        String cells(boolean sums) {
            List<String> cells = new ArrayList<>();
            for (Kind kind : List.of(Kind.COMPLETE, Kind.FAILED, Kind.IN_DOUBT, Kind.IN_PROGRESS, Kind.DUPLICATE)) {
                long count = count(kind);
                boolean zero = count == 0 && (sums || kind != Kind.COMPLETE);
                cells.add(zero ? "–" : sums ? shown(count) : Long.toString(count));
            }
            return String.join(" ", cells);
        }

        void assertAnswered(String what, Map<?, ?> answer) {
            Map<String, Object> tries = new LinkedHashMap<>();
            for (Kind kind : List.of(Kind.IN_PROGRESS, Kind.COMPLETE, Kind.FAILED, Kind.IN_DOUBT)) {
                tries.put(kind.word(), count(kind));
            }
            assertThat(answer.get("tries")).as(what).isEqualTo(tries);
            assertThat(answer.get("duplicates")).as(what).isEqualTo(count(Kind.DUPLICATE));
        }

        void assertTimes(String what, Map<?, ?> answer) {
            assertThat(answer.get("median_ms")).as(what).isEqualTo(within(50));
            assertThat(answer.get("p95_ms")).as(what).isEqualTo(within(95));
        }
    }

    private static String shown(long number) {
        return String.format(Locale.ENGLISH, "%,d", number);
    }

    /** What a window has for a caller. */
    private final class Expected {
        private final Instant since;
        private final int hours;
        private final Predicate<String> scopes;
        private final Numbers all;
        private final Map<String, Numbers> operations;
        private final Map<Instant, Numbers> byHour;

        Expected(int hours, Predicate<String> scopes) {
            this.hours = hours;
            this.scopes = scopes;
            this.since = clocks.now().wall().minus(Duration.ofHours(hours)).truncatedTo(ChronoUnit.HOURS);
            this.all = Numbers.of(week.since(since, scopes));
            this.operations = by(one -> one.at.operation());
            this.byHour = by(one -> one.when.truncatedTo(ChronoUnit.HOURS));
        }

        private <K> Map<K, Numbers> by(Function<Happened, K> part) {
            return week.since(since, scopes).collect(Collectors.groupingBy(part)).entrySet().stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, each -> Numbers.of(each.getValue().stream())));
        }

        private List<String> mostCalled() {
            Comparator<String> most = Comparator.comparingLong(
                    each -> -operations.get(each).tries() - operations.get(each).count(Kind.DUPLICATE));
            return operations.keySet().stream()
                    .sorted(most.thenComparing(Comparator.naturalOrder()))
                    .limit(MOST_SHOWN)
                    .toList();
        }

        void assertAnswered(Map<String, @Nullable Object> answer) {
            assertThat(answer.get("since")).isEqualTo(since.toString());
            assertThat(answer).doesNotContainKey("tries_from");
            all.assertAnswered("all", answer);
            all.assertTimes("all", answer);
            Map<String, Map<?, ?>> answered = parts(answer, "by_operation", "operation");
            // Expired calls count as tries, and a call whose try began before as an entry.
            assertThat(answered.keySet()).containsExactlyInAnyOrderElementsOf(mostCalled());
            answered.forEach((operation, part) -> {
                operations.get(operation).assertAnswered(operation, part);
                operations.get(operation).assertTimes(operation, part);
            });
            assertThat(answer.get("more_operations"))
                    .isEqualTo(operations.size() > MOST_SHOWN ? operations.size() - (long) MOST_SHOWN : null);
            Map<String, Map<?, ?>> each = parts(answer, "by_hour", "hour");
            byHour.forEach((hour, numbers) -> numbers.assertAnswered(
                    hour.toString(), Objects.requireNonNull(each.get(hour.toString()), hour.toString())));
            Numbers none = Numbers.of(Stream.of());
            each.forEach((hour, part) ->
                    byHour.getOrDefault(Instant.parse(hour), none).assertAnswered(hour, part));
        }

        private static Map<String, Map<?, ?>> parts(Map<String, @Nullable Object> answer, String name, String key) {
            Map<String, Map<?, ?>> parts = new LinkedHashMap<>();
            for (Object each : (List<?>) Objects.requireNonNull(answer.get(name))) {
                parts.put(String.valueOf(((Map<?, ?>) each).get(key)), (Map<?, ?>) each);
            }
            return parts;
        }

        void assertShown() {
            List<String> most = mostCalled();
            List<@Nullable Object> times = new ArrayList<>(Arrays.asList(all.within(50), all.within(95)));
            most.forEach(each -> times.add(operations.get(each).within(50)));
            Map<?, ?> page = (Map<?, ?>) Objects.requireNonNull(browser.run(READ, times, hours / 24));
            List<?> durations = (List<?>) page.get("durations");

            long doubts =
                    entries(scopes).stream().filter(State.IN_DOUBT::equals).count();
            Map<?, ?> tiles = (Map<?, ?>) page.get("tiles");
            assertTile(tiles, "Tries", shown(all.tries()), "began since ");
            assertTile(tiles, "Duplicates prevented", shown(all.count(Kind.DUPLICATE)), "came since ");
            long running = all.count(Kind.IN_PROGRESS);
            assertTile(
                    tiles, "Running now", shown(running), (running == 0 ? "none " : "") + "of those that began since ");
            assertTile(
                    tiles,
                    "In doubt now",
                    doubts > 200 ? "200+" : shown(doubts),
                    doubts == 0 ? "none is open" : "however old");
            assertTile(tiles, "Waiting for approval now", "0", "none");
            assertTile(tiles, "Failed tries", shown(all.count(Kind.FAILED)), "began since ");
            assertTile(
                    tiles,
                    "Time of a try",
                    String.valueOf(durations.get(0)),
                    "half of the " + shown(all.count(Kind.COMPLETE)) + " completed tries that began since ");
            assertThat(tiles.get("Time of a try").toString()).endsWith("95 % within " + durations.get(1) + "]");
            String total = Stream.of(
                            part(Kind.COMPLETE, "done"),
                            part(Kind.FAILED, "failed"),
                            part(Kind.IN_DOUBT, "ended in doubt"),
                            part(Kind.IN_PROGRESS, "running now"))
                    .filter(each -> !each.startsWith("0 "))
                    .collect(Collectors.joining(", ", ": ", ". "));
            assertThat(page.get("total").toString())
                    .startsWith(shown(all.tries()) + " tries since ")
                    .contains(total + part(Kind.DUPLICATE, "duplicates came, and nothing ran again."));
            List<List<String>> rows = new ArrayList<>();
            for (int i = 0; i < most.size(); i++) {
                rows.add(List.of(most.get(i), operations.get(most.get(i)).cells(false) + " " + durations.get(i + 2)));
            }
            assertThat(page.get("rows")).isEqualTo(rows);
            assertThat(page.get("foot")).isEqualTo(all.cells(true) + " " + durations.get(0));
            assertThat(page.get("hints").toString()).doesNotContain("Not everything is counted");
            if (operations.size() > MOST_SHOWN) {
                assertThat(page.get("hints").toString()).contains("and " + (operations.size() - MOST_SHOWN) + " tool");
            }
            assertChart(
                    (List<?>) page.get("runs"),
                    "Tries: " + shown(all.tries()) + " tries that began in each hour in all",
                    numbers -> "done " + shown(numbers.count(Kind.COMPLETE)) + " running "
                            + shown(numbers.count(Kind.IN_PROGRESS)) + " failed " + shown(numbers.count(Kind.FAILED))
                            + " in doubt " + shown(numbers.count(Kind.IN_DOUBT)));
            assertChart(
                    (List<?>) page.get("again"),
                    "Duplicates prevented: " + shown(all.count(Kind.DUPLICATE))
                            + " duplicates that came in each hour in all",
                    numbers -> "duplicates " + shown(numbers.count(Kind.DUPLICATE)));
        }

        private String part(Kind kind, String says) {
            return shown(all.count(kind)) + " " + says;
        }

        private static void assertTile(Map<?, ?> tiles, String name, String value, String says) {
            List<?> tile = (List<?>) tiles.get(name);
            assertThat(tile).as(name).isNotNull();
            assertThat(tile.get(0)).as(name).isEqualTo(value);
            assertThat(tile.get(1).toString()).as(name).startsWith(says);
        }

        private void assertChart(List<?> chart, String label, Function<Numbers, String> says) {
            assertThat(chart.get(0)).isEqualTo(label);
            Map<?, ?> points = (Map<?, ?>) chart.get(1);
            Numbers none = Numbers.of(Stream.of());
            for (int i = 0; i <= hours; i += hours / 24) {
                Instant hour = since.plus(i, ChronoUnit.HOURS);
                String name = hour.toString().replace("Z", ".000Z");
                assertThat(points.containsKey(name)).as(name).isTrue();
                assertThat(points.get(name).toString()).as(name).endsWith(says.apply(byHour.getOrDefault(hour, none)));
            }
        }
    }
}
