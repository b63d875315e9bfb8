package dev.idem.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Entry;
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
import dev.idem.testkit.Settlements;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A ledger counts its newest grants, and says from when on. */
class NewestCountedTest {
    private final SettableClocks clocks = new SettableClocks();
    private final MapStore.Table table = new MapStore.Table();
    private final Ledger ledger = new StoreLedger(new MapStore(table, clocks), Processes.unknown());

    private Entry take(String operation) {
        Address at = new Address("shop", operation, "k");
        return ledger.claim(ClaimRequest.of(
                        new AttemptId(7, operation.hashCode()), at, Fingerprints.NONE, Owner.named("me")))
                .entry();
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

    /** The oldest that is counted may be an old call, which got a new fence by a person's decision. */
    @Test
    void aDecisionAboutAnOldCallDoesNotHideThatNewerOnesAreLeftOut() {
        Entry doubt = take("doubt");
        ledger.settle(doubt.ticket(), Settlements.doubtful());
        clocks.advance(Duration.ofHours(1));
        take("early");
        assertThat(ledger.resolve(doubt.address(), doubt.fence(), Settlements.failed()))
                .isTrue();
        table.fences.set(100_001);
        clocks.advance(Duration.ofHours(1));
        take("late");
        Counts counts =
                ledger.as(Browsable.class).orElseThrow().counts(Query.all().withAge(null, Duration.ofMinutes(90)));
        assertThat(counts.groups()).extracting(Counts.Group::operation).containsExactly("late");
        assertThat(counts.from()).isEqualTo(clocks.now().wall().minus(Duration.ofHours(1)));
    }
}
