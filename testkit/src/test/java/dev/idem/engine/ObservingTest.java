package dev.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.ConflictException;
import dev.idem.Counts;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.IdemException;
import dev.idem.Listener;
import dev.idem.Operation;
import dev.idem.Policy;
import dev.idem.Warning;
import dev.idem.spi.Effect;
import dev.idem.spi.Ledgers;
import dev.idem.testkit.FaultyLedger;
import dev.idem.testkit.FaultyLedger.Point;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The events for callers and listeners, asynchronous calls, and the near cache. */
class ObservingTest {
    private final FaultyLedger ledger = new FaultyLedger(Ledgers.open("memory:"));

    @Test
    void everythingIsCountedAndToldInOrder() {
        List<String> told = new CopyOnWriteArrayList<>();
        try (Idem idem =
                Idem.builder().ledger(ledger).quiet().listener(telling(told)).open()) {
            idem.operation("a").key("k").content(1).run(call -> 1);
            idem.operation("a").key("k").content(1).run(call -> 2);
            assertThatThrownBy(() -> idem.operation("a").key("k").content(2).run(call -> 3))
                    .isInstanceOf(ConflictException.class);
            idem.operation("a").identity(Map.of("request_id", "r1")).run(call -> 4);

            assertThat(told)
                    .containsExactly("granted k", "settled k", "replayed", "refused", "warned", "granted", "settled");
            assertThat(idem.counts()).isEqualTo(new Counts(2, 1, 0, 0, 1, 1, 0));
        }
    }

    @Test
    void aListenerThatThrowsHarmsNothing() {
        Listener bad = new Listener() {
            @Override
            public void granted(Entry entry) {
                throw new IllegalStateException("listener");
            }
        };
        try (Idem idem = Idem.builder().ledger(ledger).quiet().listener(bad).open()) {
            assertThat(idem.operation("a").key("k").run(call -> "fine")).isEqualTo("fine");
        }
    }

    @Test
    void theAsynchronousFormIsNestedInTheCallAroundIt() throws Exception {
        try (Idem idem = Idem.builder().ledger(ledger).quiet().open()) {
            Address outer = new Address("default", "outer", "o");
            idem.operation("outer")
                    .key("o")
                    .run(call -> idem.operation("inner")
                            .key("i")
                            .runAsync(inner -> "inner")
                            .get());

            assertThat(ledger.find(new Address("default", "inner", "i"))
                            .orElseThrow()
                            .parent())
                    .isEqualTo(outer);
        }
    }

    @Test
    void theAsynchronousFormPassesOnWhatTheActionThrew() {
        try (Idem idem = Idem.builder().ledger(ledger).quiet().open()) {
            assertThatThrownBy(() -> idem.operation("a")
                            .key("k")
                            .runAsync(call -> {
                                throw new IOException("lost");
                            })
                            .get())
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(IOException.class);
        }
    }

    @Test
    void theNearCacheAnswersWithoutTheLedgerUntilItsMaximumAge() {
        AtomicLong nanos = new AtomicLong();
        try (Idem idem = Idem.builder()
                .ledger(ledger)
                .quiet()
                .nanos(nanos::get)
                .nearCache(2, Duration.ofSeconds(5))
                .open()) {
            for (int i = 0; i < 3; i++) {
                idem.operation("a").key("k").run(call -> "once");
            }
            assertThat(ledger.passed(Point.BEFORE_CLAIM)).isEqualTo(1);

            nanos.addAndGet(Duration.ofSeconds(5).toNanos());
            idem.operation("a").key("k").run(call -> "once");
            assertThat(ledger.passed(Point.BEFORE_CLAIM)).isEqualTo(2);
        }
    }

    @Test
    void theNearCacheIsBounded() {
        try (Idem idem = Idem.builder()
                .ledger(ledger)
                .quiet()
                .nearCache(2, Duration.ofSeconds(5))
                .open()) {
            for (String key : List.of("a", "b", "c", "a")) {
                idem.operation("a").key(key).run(call -> "once");
            }
            assertThat(ledger.passed(Point.BEFORE_CLAIM)).isEqualTo(4);
        }
    }

    @Test
    void anActionMayReportItsEffectAndAReplayHasNone() {
        try (Idem idem = Idem.builder().ledger(ledger).quiet().open()) {
            List<Effect> effects = new ArrayList<>();
            Operation<?> operation = idem.operation("a").key("k").observe(seen -> effects.add(seen.effect()));
            operation.perform(call -> call.effect(Effect.UPDATED));
            operation.perform(call -> call.effect(Effect.UPDATED));
            assertThat(effects).containsExactly(Effect.UPDATED, Effect.NOOP);
        }
    }

    @Test
    void anActionMayKeepItsResultLongerThanItsPolicyAndNotShorter() {
        List<Instant> kept = new ArrayList<>();
        try (Idem idem = Idem.builder().ledger(ledger).quiet().open()) {
            for (int days : new int[] {1, 30}) {
                idem.operation("a")
                        .key("k" + days)
                        .policy(Policy.unset().retention(Duration.ofDays(7)))
                        .observe(seen -> kept.add(seen.expiresAt()))
                        .perform(call -> call.keepAtLeast(Duration.ofDays(days)));
            }
        }
        Instant now = Instant.now();
        assertThat(kept.get(0)).isBetween(now.plus(Duration.ofDays(6)), now.plus(Duration.ofDays(8)));
        assertThat(kept.get(1)).isBetween(now.plus(Duration.ofDays(29)), now.plus(Duration.ofDays(31)));
    }

    /** A caller was told that its action had failed, although it had run: the observer had thrown. */
    @Test
    void anObserverThatThrowsHarmsNothing() {
        try (Idem idem = Idem.builder().ledger(ledger).quiet().open()) {
            Operation<Object> operation = idem.operation("a").key("k").observe(seen -> {
                throw new IllegalStateException("no room on the screen");
            });
            assertThat(operation.attempt(call -> "done").replayed()).isFalse();
            assertThat(operation.attempt(call -> "again").replayed()).isTrue();
        }
    }

    @Test
    void aClosedIdemRunsNothing() {
        Idem idem = Idem.builder().ledger(ledger).quiet().open();
        idem.close();

        assertThatThrownBy(() -> idem.operation("a").key("k").run(call -> "never"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void aCallWithNeitherKeyNorIdentityIsRefusedWithWhatToAdd() {
        try (Idem idem = Idem.builder().ledger(ledger).quiet().open()) {
            assertThatThrownBy(() -> idem.operation("a").run(call -> "never"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(".key(")
                    .hasMessageContaining(".identity(");
        }
    }

    private static Listener telling(List<String> told) {
        return new Listener() {
            @Override
            public void granted(Entry entry) {
                told.add("granted" + name(entry));
            }

            @Override
            public void settled(Entry entry) {
                told.add("settled" + name(entry));
            }

            @Override
            public void replayed(Address address, boolean shared) {
                told.add("replayed");
            }

            @Override
            public void refused(IdemException why) {
                told.add("refused");
            }

            @Override
            public void warned(Address address, Warning warning) {
                told.add("warned");
            }

            private String name(Entry entry) {
                return entry.address().key().equals("k") ? " k" : "";
            }
        };
    }
}
