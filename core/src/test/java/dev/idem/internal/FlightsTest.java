package dev.idem.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.entry.Address;
import dev.idem.entry.Fingerprints;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
        List<Flight> all = new ArrayList<>();
        for (int i = 0; i < CROWD; i++) {
            Flight one = flight("key-" + i);
            assertThat(flights.join(one)).isNull();
            all.add(one);
        }
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
        List<Flight> all = new ArrayList<>();
        for (int i = 0; i < CROWD; i++) {
            all.add(flight("key-" + i));
        }
        all.forEach(flights::join);
        List<Flight> early = all.subList(0, CROWD / 2);
        early.forEach(flights::leave);

        for (Flight late : all.subList(CROWD / 2, CROWD)) {
            assertThat(flights.join(flight(late.address.key()))).isSameAs(late);
        }
    }

    /** Whoever begins to wait while the flight lands is let go, every time. */
    @Test
    void noOneWaitsForAFlightThatHasLanded() throws Exception {
        var pool = Executors.newFixedThreadPool(2);
        try {
            for (int i = 0; i < 20_000; i++) {
                Flight flight = flight("a");
                var gate = new CountDownLatch(2);
                Future<Long> waiter = pool.submit(() -> {
                    gate.countDown();
                    gate.await();
                    long from = System.nanoTime();
                    flight.await(10_000_000_000L);
                    return System.nanoTime() - from;
                });
                Future<?> leader = pool.submit(() -> {
                    gate.countDown();
                    gate.await();
                    flight.land(null);
                    return null;
                });
                leader.get();
                assertThat(waiter.get()).isLessThan(10_000_000_000L);
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private static Flight flight(String key) {
        return new Flight(new Address("shop", "charge", key), Fingerprints.NONE);
    }
}
