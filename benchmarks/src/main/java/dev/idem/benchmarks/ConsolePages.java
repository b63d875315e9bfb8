package dev.idem.benchmarks;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.agent.approval.Approvals;
import dev.idem.agent.approval.Ruling;
import dev.idem.agent.approval.Wanted;
import dev.idem.lab.PostgresqlServer;
import dev.idem.lab.TempFolder;
import dev.idem.lab.browser.Browser;
import dev.idem.server.Access;
import dev.idem.server.Api;
import dev.idem.server.Caller;
import dev.idem.server.Operations;
import dev.idem.server.Token;
import dev.idem.server.TokenFile;
import dev.idem.server.http.NetworkCarrier;
import dev.idem.spi.Host;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The console with many entries, as a person sees it: each time is measured by the browser, from the navigation or the click
 * until the content is drawn. One entry in ten is a request for approval that was decided long ago, or what belongs to it.
 */
final class ConsolePages implements Scenario {
    private static final int ENTRIES = 200_000;
    private static final int OLD_APPROVALS = 20_000;
    private static final int THREADS = 64;
    private static final int DOUBTS = 40;
    private static final List<String> TOOLS =
            List.of("charge", "send_email", "book_flight", "search", "refund", "ship", "invoice", "notify");

    /** Notes when the content of the first page is drawn, as early as the page itself could. */
    private static final String WATCH = """
            new MutationObserver((_, observer) => {
              if (document.querySelector('[data-testid=item]')) {
                observer.disconnect();
                requestAnimationFrame(() => setTimeout(() => window.drawnAt = performance.now()));
              }
            }).observe(document, {childList: true, subtree: true})""";

    private static final String UNTIL_DRAWN = """
            while (!window.drawnAt) { await new Promise(go => setTimeout(go, 10)); }
            return window.drawnAt;""";

    private static final String SEARCH = """
            const begin = performance.now();
            await new Promise(go => { addEventListener('hashchange', go, {once: true}); location.hash = arguments[0]; });
            while (document.querySelector('.loading') || !document.querySelector('[data-testid=hit]')) {
              await new Promise(requestAnimationFrame);
            }
            await new Promise(go => requestAnimationFrame(() => setTimeout(go)));
            return performance.now() - begin;""";

    private static final String ENTRY = """
            const begin = performance.now();
            const hits = document.querySelectorAll('a.hit');
            hits[arguments[0] % hits.length].click();
            while (!document.querySelector('[data-testid=timeline]')) { await new Promise(requestAnimationFrame); }
            await new Promise(go => requestAnimationFrame(() => setTimeout(go)));
            return performance.now() - begin;""";

    @Override
    public String name() {
        return "console";
    }

    @Override
    public List<Row> run(Effort effort) throws Exception {
        if (!Browser.isInstalled()) {
            return List.of(
                    Row.withoutPromise("console", "skipped: chromium and chromium-driver are not installed", "", ""));
        }
        List<Row> rows = new ArrayList<>();
        try (TempFolder folder = new TempFolder(effort.folder())) {
            rows.addAll(pages(effort, "SQLite", "sqlite:" + folder.file("idem.db")));
        }
        try (TempFolder home = new TempFolder(effort.folder());
                PostgresqlServer server = new PostgresqlServer(home.path())) {
            rows.addAll(pages(effort, "PostgreSQL", server.url()));
        }
        return rows;
    }

    private static List<Row> pages(Effort effort, String name, String url) throws Exception {
        Host host = Host.system();
        int entries = Math.min(ENTRIES, effort.rounds() * effort.calls() * 100);
        try (TempFolder folder = new TempFolder(effort.folder());
                Idem idem = Idem.builder().ledger(url).quiet().open()) {
            fill(idem, entries);
            TokenFile tokens = new TokenFile(folder.file("tokens.json"), host);
            Token token = Objects.requireNonNull(tokens.find(tokens.add("ann", Access.ALL, null)));
            try (Api api = new Api(idem.ledger(), url, host, "0");
                    NetworkCarrier carrier = NetworkCarrier.start(
                            api, new NetworkCarrier.Place("127.0.0.1", 0, null, null), tokens, Operations.NONE, host);
                    Browser browser = new Browser(folder.path())) {
                String where = name + ", " + Units.format("%,d", entries) + " entries";
                List<Row> rows = new ArrayList<>(looked(effort, browser, carrier, token, where));
                rows.add(asked(
                        effort,
                        api,
                        "browse",
                        "find by the beginning of a key, " + where,
                        50,
                        round -> "{\"key_prefix\":\"req-" + (round * 37 + 10) + "\"}"));
                // Another time each time: an answer is kept for some seconds.
                rows.add(asked(
                        effort,
                        api,
                        "counts",
                        "counts of a day, " + where,
                        300,
                        round -> "{\"newer_than_ms\":" + (86_400_000 - round) + "}"));
                return rows;
            }
        }
    }

    private static List<Row> looked(Effort effort, Browser browser, NetworkCarrier carrier, Token token, String where)
            throws IOException {
        browser.before(WATCH);
        browser.open(carrier.signInUrl(token).toString());
        browser.run(UNTIL_DRAWN);
        List<Double> first = new ArrayList<>();
        List<Double> searched = new ArrayList<>();
        List<Double> opened = new ArrayList<>();
        for (int round = 0; round < effort.rounds() + 5; round++) {
            browser.open("about:blank");
            browser.open(carrier.url() + "/");
            first.add(millis(browser.run(UNTIL_DRAWN)));
            for (String filter : filters(round)) {
                searched.add(millis(browser.run(SEARCH, "#/search?" + filter)));
                // A page without rows, so that the next search has to draw its own.
                browser.run("location.hash = '#/scope?scope=none'");
                browser.run(
                        "while (!document.querySelector('.empty')) { await new Promise(go => setTimeout(go, 10)); }");
            }
            browser.run(SEARCH, "#/search?operation=" + TOOLS.get(round % TOOLS.size()));
            opened.add(millis(browser.run(ENTRY, round)));
        }
        return List.of(
                row("console, first page, " + where, first, 1000),
                row("console, search, " + where, searched, 1000),
                row("console, entry, " + where, opened, 300));
    }

    /** A method of the API, without the browser. */
    private static Row asked(
            Effort effort, Api api, String method, String path, double most, IntFunction<String> params) {
        Caller caller = Caller.local("ann", () -> true, false);
        List<Double> took = new ArrayList<>();
        for (int round = -2; round < effort.rounds() + 5; round++) {
            long begin = System.nanoTime();
            api.call(method, params.apply(round < 0 ? 1000 - round : round), caller);
            if (round >= 0) {
                took.add((System.nanoTime() - begin) / 1e6);
            }
        }
        return row(path, took, most);
    }

    /** A search of each kind, another one in each round. */
    private static List<String> filters(int round) {
        return List.of(
                "label=customer%3Dcus_" + round * 7,
                "operation=" + TOOLS.get(round % TOOLS.size()) + "&state=failed",
                "scope=order-" + round * 11,
                "key=req-" + (round + 10) + "*",
                "state=complete&newer=24h&operation=" + TOOLS.get((round + 3) % TOOLS.size()),
                "");
    }

    private static double millis(@Nullable Object answer) {
        if (answer instanceof Number number) {
            return number.doubleValue();
        }
        throw new IllegalStateException("the page answered " + answer);
    }

    private static Row row(String path, List<Double> millis, double most) {
        double[] all = millis.stream().mapToDouble(Double::doubleValue).toArray();
        double late = Units.quantile(all, 0.95);
        return new Row(
                path + ": p50, p95",
                Units.format("%.1f ms, %.1f ms", Units.quantile(all, 0.5), late),
                "",
                all.length + " turns",
                Units.format("p95 ≤ %.0f ms", most),
                Row.Verdict.of(late <= most));
    }

    private static void fill(Idem idem, int entries) throws Exception {
        try (Crowd crowd = new Crowd(THREADS)) {
            int old = entries / (ENTRIES / OLD_APPROVALS) / THREADS;
            // Each leaves a request and a decision; the list of those that wait loses it.
            Approvals approvals = Approvals.on(idem);
            crowd.run(old, (thread, number) -> {
                Wanted wanted =
                        new Wanted(new Address("old-" + thread, "pay", "call-" + number), Map.of("cents", number));
                if (approvals.ask(wanted) instanceof Ruling.Pending pending) {
                    approvals.approve(pending.request().key(), "ann");
                }
            });
            crowd.run(
                    (entries - 2 * old * THREADS) / THREADS, (thread, number) -> call(idem, number * THREADS + thread));
        }
        for (int i = 0; i < DOUBTS; i++) {
            failing(idem, "doubt-" + i, "charge", i, Policy.write());
        }
    }

    private static void call(Idem idem, int number) {
        String key = "req-" + number;
        String tool = TOOLS.get(number % TOOLS.size());
        if (number % 100 < TOOLS.size() && number % 100 != 0) {
            failing(idem, key, tool, number, Policy.write().definiteOn(IOException.class));
        } else {
            idem.operation(tool)
                    .scope("order-" + number / 20)
                    .key(key)
                    .label("customer", "cus_" + number % 5_000)
                    .label("cents", String.valueOf(number % 10_000))
                    .run(call -> Map.of("id", "ch_" + number));
        }
    }

    private static void failing(Idem idem, String key, String tool, int number, Policy policy) {
        try {
            idem.operation(tool)
                    .scope("order-" + number / 20)
                    .key(key)
                    .label("customer", "cus_" + number % 5_000)
                    .policy(policy)
                    .run(call -> {
                        throw new IOException("the connection was reset");
                    });
        } catch (IOException e) {
            // As it should.
        }
    }
}
