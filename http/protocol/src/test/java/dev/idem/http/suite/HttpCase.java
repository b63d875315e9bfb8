package dev.idem.http.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.http.HttpRules;
import dev.idem.http.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;

/** One rule: requests in sequence, what the handler does for each if it runs, and what the client receives. */
public final class HttpCase {
    private static final Executor CLIENTS = task -> new Thread(task, "client").start();

    private final String name;
    private final HttpRules rules;
    private final List<Step> steps = new ArrayList<>();
    private Duration pause = Duration.ZERO;

    private static final class Step {
        final Sent request;
        final Work work;
        final List<BiConsumer<Received, Received>> checks = new ArrayList<>();
        final List<Step> meanwhile = new ArrayList<>();
        boolean runs;
        volatile Received received;

        Step(Sent request, Work work) {
            this.request = request;
            this.work = work;
        }
    }

    /** The step that the checks are for. */
    private Step current;

    private HttpCase(String name, HttpRules rules) {
        this.name = name;
        this.rules = rules;
    }

    public static HttpCase of(String name, HttpRules rules) {
        return new HttpCase(name, rules);
    }

    public String name() {
        return name;
    }

    /** Lets this time pass before each request but the first. Keep it to milliseconds: the case waits for it. */
    public HttpCase pausing(Duration time) {
        pause = time;
        return this;
    }

    /** Sends a request for which the handler must run. */
    public HttpCase runs(Sent request, Work work) {
        current = new Step(request, work);
        current.runs = true;
        steps.add(current);
        return status(work.response().status());
    }

    /** Sends a request for which the handler must not run. */
    public HttpCase doesNotRun(Sent request) {
        current = new Step(request, Work.answers(299, "text/plain", "the handler ran"));
        steps.add(current);
        return this;
    }

    /** Sends a request for which the handler must not run while the handler of the last step runs. */
    public HttpCase doesNotRunMeanwhile(Sent request) {
        Step running = steps.get(steps.size() - 1);
        current = new Step(request, Work.answers(299, "text/plain", "the handler ran"));
        running.meanwhile.add(current);
        return this;
    }

    /** The response is a replay of the first one: the same status and bytes, and marked. */
    public HttpCase replays(Sent request) {
        doesNotRun(request);
        current.checks.add((received, first) -> {
            assertThat(received.status()).isEqualTo(first.status());
            assertThat(received.body()).isEqualTo(first.body());
            assertThat(received.header("Content-Type")).isEqualTo(first.header("Content-Type"));
            assertThat(received.header("Cache-Control")).isEqualTo("no-store");
            assertThat(received.header("Date")).isNotNull();
            assertThat(Integer.parseInt(received.header("Age"))).isNotNegative();
        });
        return header(rules.replayedHeader(), "true");
    }

    public HttpCase problem(Problem problem) {
        current.checks.add((received, first) -> {
            assertThat(received.status()).as(received.text()).isEqualTo(rules.status(problem));
            assertThat(received.header("Content-Type")).startsWith("application/problem+json");
            assertThat(received.text()).contains("\"type\":\"" + problem.type() + "\"");
            assertThat(received.text()).contains("\"status\":" + received.status());
            assertThat(received.header("Cache-Control")).isEqualTo("no-store");
        });
        return absent(rules.replayedHeader());
    }

    public HttpCase status(int status) {
        current.checks.add((received, first) ->
                assertThat(received.status()).as(received.text()).isEqualTo(status));
        return this;
    }

    public HttpCase header(String header, String value) {
        current.checks.add((received, first) ->
                assertThat(received.header(header)).as(header).isEqualTo(value));
        return this;
    }

    /** The header has exactly these lines, in this order. */
    public HttpCase lines(String header, String... lines) {
        current.checks.add((received, first) ->
                assertThat(received.headers().get(header)).as(header).containsExactly(lines));
        return this;
    }

    public HttpCase present(String header) {
        current.checks.add((received, first) ->
                assertThat(received.header(header)).as(header).isNotNull());
        return this;
    }

    public HttpCase absent(String header) {
        current.checks.add((received, first) ->
                assertThat(received.header(header)).as(header).isNull());
        return this;
    }

    public HttpCase body(String text) {
        current.checks.add((received, first) -> assertThat(received.text()).isEqualTo(text));
        return this;
    }

    /** The client receives exactly the body of the handler. */
    public HttpCase receivesItsBody() {
        byte[] body = current.work.response().body();
        current.checks.add((received, first) -> assertThat(received.body()).isEqualTo(body));
        return this;
    }

    /** Plays the case on a new server. */
    public void play(HttpSurface.Opener opener) throws Exception {
        var running = new AtomicReference<Step>();
        var runs = new AtomicInteger();
        var server = new AtomicReference<HttpSurface>();
        try (HttpSurface opened = opener.open(rules, () -> {
            Step step = running.get();
            // A second run is wrong, and must not send them again.
            for (Step each : runs.incrementAndGet() == 1 ? step.meanwhile : List.<Step>of()) {
                pass(pause);
                // A client of its own, in a thread of its own: the handler only waits for it.
                each.received = CompletableFuture.supplyAsync(() -> send(server.get(), each), CLIENTS)
                        .join();
            }
            return step.work;
        })) {
            server.set(opened);
            Received first = null;
            for (Step step : steps) {
                running.set(step);
                runs.set(0);
                if (first != null) {
                    pass(pause);
                }
                Received received = send(opened, step);
                assertThat(runs.get()).as("runs of the handler").isEqualTo(step.runs ? 1 : 0);
                if (first == null) {
                    first = received;
                }
                for (BiConsumer<Received, Received> check : step.checks) {
                    check.accept(received, first);
                }
                for (Step each : step.meanwhile) {
                    each.checks.forEach(check -> check.accept(each.received, each.received));
                }
            }
        }
    }

    private static void pass(Duration time) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < time.toNanos()) {
            Thread.onSpinWait();
        }
    }

    private static Received send(HttpSurface server, Step step) {
        try {
            return server.send(step.request);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
