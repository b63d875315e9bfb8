package dev.idem.agent.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.Call;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.Listener;
import dev.idem.Outcome;
import dev.idem.agent.inbox.Event;
import dev.idem.agent.inbox.Inbox;
import dev.idem.testkit.Race;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunTest {
    private static final Instant START = Instant.parse("2026-03-01T12:00:00.123Z");

    private final Map<String, String> logged = new HashMap<>();
    private final Runs runs = Runs.standard().log(new LogContext() {
        @Override
        public void put(String name, String value) {
            logged.put(name, value);
        }

        @Override
        public void remove(String name) {
            logged.remove(name);
        }
    });

    @Test
    void idsSortInTheOrderInWhichTheyWereMadeEvenWhenTheClockStepsBack() {
        List<Instant> times = List.of(START, START, START.minusSeconds(9), START.plusMillis(1));
        List<RunId> ids = new ArrayList<>();
        int[] index = {0};
        RunIds source = new RunIds(new SettableClock(times, index), () -> -1L);
        for (; index[0] < times.size(); index[0]++) {
            ids.add(source.get());
        }

        assertThat(ids).isSorted().doesNotHaveDuplicates();
        assertThat(ids.get(0).time()).isEqualTo(START);
        assertThat(ids.get(0).value()).matches("run_[0-9A-HJKMNP-TV-Z]{26}");
    }

    @Test
    void idsOfManyThreadsDiffer() {
        RunIds source = new RunIds();
        List<List<RunId>> made = Race.of(8, () -> {
            List<RunId> mine = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                mine.add(source.get());
            }
            return mine;
        });

        assertThat(made).allSatisfy(mine -> assertThat(mine).isSorted());
        assertThat(new HashSet<>(made.stream().flatMap(List::stream).toList())).hasSize(8_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "run_", "run_81KJMV0000000000000000000", "run_01kjmv00000000000000000000", "x\r\ny"})
    void whatIsNoIdIsRefused(String text) {
        assertThat(RunId.parse(text)).isNull();
        assertThatThrownBy(() -> new RunId(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aRunStartedInsideAnotherIsItsChild() {
        Run outer = runs.start();
        outer.run(() -> {
            Run inner = runs.start();
            assertThat(inner.parent()).contains(outer.id());
            assertThat(inner.id()).isGreaterThan(outer.id());
            inner.run(() -> assertThat(Run.current()).contains(inner));
            assertThat(Run.current()).contains(outer);
        });

        assertThat(outer.parent()).isEmpty();
        assertThat(outer.child().parent()).contains(outer.id());
        assertThat(Run.current()).isEmpty();
    }

    @Test
    void itIsLeftAlsoWhenSomethingIsThrown() {
        assertThatThrownBy(() -> runs.start().call(() -> {
                    throw new java.io.IOException("lost");
                }))
                .isInstanceOf(java.io.IOException.class);

        assertThat(Run.current()).isEmpty();
        assertThat(logged).isEmpty();
    }

    @Test
    void logLinesCarryTheRunAndItsParent() {
        Run outer = runs.start();
        Entered inside = outer.enter();
        assertThat(logged).isEqualTo(Map.of("run", outer.id().value()));
        Run inner = runs.start();
        inner.run(() -> assertThat(logged)
                .isEqualTo(Map.of(
                        "run", inner.id().value(), "run.parent", outer.id().value())));
        assertThat(logged).isEqualTo(Map.of("run", outer.id().value()));
        inside.close();
        inside.close();

        assertThat(logged).isEmpty();
    }

    @Test
    void entriesOfPlainOperationsCarryTheRunTheyAreMadeIn() throws Exception {
        try (Idem idem = Idem.builder().ledger("memory:").quiet().open()) {
            Run outer = runs.start();
            outer.run(() -> {
                idem.operation("charge").key("k1").label("customer", "ann").run(call -> "receipt");
                runs.start()
                        .run(() -> idem.operation("charge")
                                .key("k2")
                                .run(call -> idem.operation("note").key("k3").run(inner -> "noted")));
                idem.operation("charge").key("k4").runAsync(call -> "receipt").join();
            });
            idem.operation("charge").key("k5").run(call -> "receipt");

            String run = outer.id().value();
            assertThat(labels(idem, "charge", "k1")).isEqualTo(Map.of("customer", "ann", "run", run));
            assertThat(labels(idem, "charge", "k2")).containsEntry("run.parent", run);
            assertThat(labels(idem, "note", "k3")).isEqualTo(labels(idem, "charge", "k2"));
            assertThat(labels(idem, "charge", "k4")).containsEntry("run", run);
            assertThat(labels(idem, "charge", "k5")).isEmpty();
        }
    }

    @Test
    void whatTheCallerSaysOfTheRunStands() {
        try (Idem idem = Idem.builder().ledger("memory:").quiet().open()) {
            runs.start()
                    .run(() -> idem.operation("charge")
                            .key("k1")
                            .label("run", "nightly-7")
                            .run(call -> "receipt"));

            assertThat(labels(idem, "charge", "k1")).isEqualTo(Map.of("run", "nightly-7"));
        }
    }

    /** An identity with a field of that name hid the run, so that its entries were not found. */
    @Test
    void aFieldOfTheIdentityDoesNotHideTheRun() throws Exception {
        try (Idem idem = Idem.builder().ledger("memory:").quiet().open()) {
            Run run = runs.start();
            Address trained = run.call(() -> idem.operation("train")
                    .identity(Map.of("run", "7", "model", "small"))
                    .label("model", "by hand")
                    .returning(Address.class)
                    .run(Call::address));

            assertThat(idem.find(trained).orElseThrow().labels())
                    .isEqualTo(Map.of("run", run.id().value(), "model", "by hand"));
        }
    }

    @Test
    void eventsOfAnInboxCarryTheRunTheyAreHandledIn() {
        try (Idem idem = Idem.builder().ledger("memory:").quiet().open()) {
            Run run = runs.start();
            run.run(() -> Inbox.of(idem, "stripe").receive(Event.of("evt_1", "{}"), (event, call) -> "handled"));

            assertThat(idem.find(new Address("inbox:stripe", "inbox_event", "evt_1"))
                            .orElseThrow()
                            .labels())
                    .containsEntry("run", run.id().value());
        }
    }

    private static Map<String, String> labels(Idem idem, String operation, String key) {
        return idem.find(new Address("default", operation, key)).orElseThrow().labels();
    }

    @Test
    void aLoggingSystemInTroubleKeepsNobodyOut() {
        LogContext broken = new LogContext() {
            @Override
            public void put(String name, String value) {
                throw new IllegalStateException("full");
            }

            @Override
            public void remove(String name) {
                throw new IllegalStateException("full");
            }
        };
        Run run = runs.log(broken).start();

        run.run(() -> assertThat(Run.current()).contains(run));
        assertThat(Run.current()).isEmpty();
    }

    @Test
    void slf4jIsUsedWhereItIs() {
        // The JSON Schema validator brings its API along.
        assertThat(LogContext.slf4j()).isNotSameAs(LogContext.none());
    }

    @Test
    void otherThreadsAreInTheRunThatHandedThemTheirTask() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        try {
            Run run = Runs.standard().log(LogContext.none()).start();
            CompletableFuture<Optional<Run>> seen = new CompletableFuture<>();
            run.run(() -> {
                Runs.carrying(pool).execute(() -> seen.complete(Run.current()));
                assertThat(Run.current()).contains(run);
            });

            assertThat(seen.get()).contains(run);
            assertThat(pool.submit(Run::current).get()).isEmpty();
            Entered inside = run.enter();
            var task = Runs.carry(Run::current);
            inside.close();
            assertThat(pool.submit(task).get()).contains(run);
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void headersLetTheOtherSideStartAChild() {
        Run run = runs.start();
        Map<String, String> headers = run.child().headers();

        assertThat(headers).containsEntry(Run.PARENT_HEADER, run.id().value());
        Run there = runs.startFrom(headers::get);
        assertThat(there.parent().orElseThrow().value()).isEqualTo(headers.get(Run.HEADER));
        assertThat(runs.startFrom(name -> null).parent()).isEmpty();
        assertThat(runs.startFrom(name -> "run_evil\r\nheader").parent()).isEmpty();
    }

    @Test
    void entriesAndEventsCarryTheRun() {
        List<Optional<Run>> events = new CopyOnWriteArrayList<>();
        Listener listener = new Listener() {
            @Override
            public void granted(Entry entry) {
                events.add(Run.current());
            }

            @Override
            public void replayed(Address address, boolean shared) {
                events.add(Run.current());
            }
        };
        try (Idem idem =
                Idem.builder().ledger("memory:").listener(listener).quiet().open()) {
            Run run = runs.start().child();
            run.run(() -> {
                Outcome.Valued<String> first = (Outcome.Valued<String>)
                        run.label(idem.operation("mail").key("1").returning(String.class))
                                .attempt(call -> "sent");
                run.label(idem.operation("mail").key("1")).run(call -> "sent");
                assertThat(idem.find(first.address()).orElseThrow().labels())
                        .containsEntry("run", run.id().value())
                        .containsEntry("run.parent", run.parent().orElseThrow().value());
            });

            assertThat(events).containsExactly(Optional.of(run), Optional.of(run));
        }
    }

    private static final class SettableClock extends Clock {
        private final List<Instant> times;
        private final int[] index;

        SettableClock(List<Instant> times, int[] index) {
            this.times = times;
            this.index = index;
        }

        @Override
        public Instant instant() {
            return times.get(index[0]);
        }

        @Override
        public ZoneOffset getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(java.time.ZoneId zone) {
            return this;
        }
    }
}
