package dev.idem.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Repeat;
import dev.idem.internal.call.Flights.Flight;
import dev.idem.spi.AttemptId;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Host;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Owner;
import dev.idem.spi.store.MemoryLedger;
import org.junit.jupiter.api.Test;

class FlightsTest {
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
    void whoNeverJoinedLeavesEverybodyWhereTheyAre() {
        Flight first = flight("a");
        flights.join(first);

        flights.leave(flight("a"));

        assertThat(flights.join(flight("a"))).isSameAs(first);
    }

    @Test
    void aWaiterGetsTheEntryOfTheFlight() throws Exception {
        Flight first = flight("a");
        Entry entry = entry();

        assertThat(first.await(1)).as("it has not ended").isNull();
        first.land(entry);

        assertThat(first.await(1)).isSameAs(entry);
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
        return new Flight(new Address("shop", "charge", key), Fingerprints.NONE, Repeat.REPLAY);
    }
}
