package dev.idem.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.spi.AttemptId;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Ledger;
import dev.idem.spi.Owner;
import dev.idem.spi.Processes;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Counts;
import dev.idem.spi.browse.Query;
import dev.idem.spi.store.StoreLedger;
import dev.idem.testkit.SettableClocks;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A ledger counts its newest grants, and says from when on. */
class NewestCountedTest {
    private final SettableClocks clocks = new SettableClocks();
    private final MapStore.Table table = new MapStore.Table();
    private final Ledger ledger = new StoreLedger(new MapStore(table, clocks), Processes.unknown());

    private void take(String operation) {
        Address at = new Address("shop", operation, "k");
        ledger.claim(ClaimRequest.of(new AttemptId(7, operation.hashCode()), at, Fingerprints.NONE, Owner.named("me")));
    }

    @Test
    void olderGrantsAreLeftOut() {
        Browsable browsable = ledger.as(Browsable.class).orElseThrow();
        take("old");
        clocks.advance(Duration.ofHours(1));
        Instant from = clocks.now().wall();
        take("early");
        assertThat(browsable.counts(Query.all()).from()).isNull();
        table.fences.set(100_000);
        clocks.advance(Duration.ofHours(1));
        take("late");
        Counts counts = browsable.counts(Query.all());
        assertThat(counts.groups()).extracting(Counts.Group::operation).containsExactlyInAnyOrder("early", "late");
        assertThat(counts.from()).isEqualTo(from);
        assertThat(browsable
                        .counts(Query.all().withAge(null, Duration.ofMinutes(30)))
                        .from())
                .as("nothing is missing among those that were asked for")
                .isNull();
    }
}
