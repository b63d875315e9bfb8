package dev.idem.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.spi.AttemptId;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Host;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.MemoryLedger;
import dev.idem.spi.Owner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FlightsTest {
    /** More than there are seats, so that some addresses want the same. */
    private static final int CROWD = 1_000;

    private final Flights flights = new Flights();

    @Test
    void aDuplicateFindsTheFlightUnderWay() {
        Flight first = flight("a");

        assertThat(flights.join(first)).isNull();
        assertThat(flights.join(flight("a"))).isSameAs(first);
    }

    @Test
    void whatIsOverIsNotShared() {
        Flight first = flight("a");
        flights.join(first);

        flights.leave(first);

        assertThat(flights.join(flight("a"))).isNull();
    }

    @Test
    void manyAtOnceAreAllFoundAndAllLeave() {
        List<Flight> all = crowd();
        for (Flight one : all) {
            assertThat(flights.join(flight(one.address.key()))).isSameAs(one);
        }
        all.forEach(flights::leave);
        for (Flight one : all) {
            assertThat(flights.join(flight(one.address.key()))).isNull();
        }
    }

    /** It stood because its seat was taken, and is still found when the seat has become free. */
    @Test
    void whoStandsIsFoundWhenTheSeatIsFree() {
        List<Flight> all = crowd();
        List<Flight> early = all.subList(0, CROWD / 2);
        early.forEach(flights::leave);

        for (Flight late : all.subList(CROWD / 2, CROWD)) {
            assertThat(flights.join(flight(late.address.key()))).isSameAs(late);
        }
    }

    @Test
    void whoStandsAndLeavesLeavesTheSeatToWhoSitsThere() {
        List<Flight> all = crowd();
        List<Flight> late = all.subList(CROWD / 2, CROWD);
        late.forEach(flights::leave);

        for (Flight early : all.subList(0, CROWD / 2)) {
            assertThat(flights.join(flight(early.address.key()))).isSameAs(early);
        }
    }

    @Test
    void whoNeverJoinedLeavesEverybodyWhereTheyAre() {
        Flight first = flight("a");
        flights.join(first);

        flights.leave(flight("a"));

        assertThat(flights.join(flight("a"))).isSameAs(first);
    }

    @Test
    void nothingStaysWhenManyThreadsHaveComeAndGone() throws Exception {
        inThreads(4, thread -> {
            for (int i = 0; i < 50_000; i++) {
                Flight mine = flight("key-" + (i * 31 + thread * 7) % CROWD);
                flights.join(mine);
                flights.leave(mine);
            }
        });

        for (int i = 0; i < CROWD; i++) {
            assertThat(flights.join(flight("key-" + i))).isNull();
        }
    }

    /** Whoever begins to wait while the flight lands is let go, every time, with what it has landed with. */
    @Test
    void noOneWaitsForAFlightThatHasLanded() throws Exception {
        Entry entry = entry();
        int rounds = 10_000;
        Flight[] landing = new Flight[rounds];
        Arrays.setAll(landing, i -> flight("a"));
        var gate = new AtomicInteger();
        inThreads(3, thread -> {
            for (int round = 0; round < rounds; round++) {
                gate.incrementAndGet();
                while (gate.get() < 3 * (round + 1) && !Thread.currentThread().isInterrupted()) {
                    Thread.yield();
                }
                if (thread == 0) {
                    landing[round].land(entry);
                } else {
                    assertThat(landing[round].await(20_000_000_000L)).isSameAs(entry);
                }
            }
        });
    }

    /** All of them under way. */
    private List<Flight> crowd() {
        List<Flight> all = new ArrayList<>();
        for (int i = 0; i < CROWD; i++) {
            Flight one = flight("key-" + i);
            assertThat(flights.join(one)).isNull();
            all.add(one);
        }
        return all;
    }

    private interface InThread {
        void run(int thread) throws Exception;
    }

    /** The first that fails interrupts the others, who may wait for it. */
    private static void inThreads(int count, InThread code) throws Exception {
        var pool = Executors.newFixedThreadPool(count);
        var ended = new ExecutorCompletionService<@Nullable Void>(pool);
        try {
            for (int i = 0; i < count; i++) {
                int thread = i;
                ended.submit(() -> {
                    code.run(thread);
                    return null;
                });
            }
            for (int i = 0; i < count; i++) {
                ended.take().get();
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private static Entry entry() {
        var ledger = new MemoryLedger(LedgerContext.ofHost(Host.system()));
        return ledger.claim(ClaimRequest.of(
                        new AttemptId(1, 1),
                        new Address("shop", "charge", "a"),
                        Fingerprints.NONE,
                        new Owner("me", null)))
                .entry();
    }

    private static Flight flight(String key) {
        return new Flight(new Address("shop", "charge", key), Fingerprints.NONE);
    }
}
