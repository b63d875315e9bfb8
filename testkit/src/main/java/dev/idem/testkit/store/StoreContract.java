package dev.idem.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.State;
import dev.idem.spi.EntryStore;
import dev.idem.spi.EntryStore.Draft;
import dev.idem.spi.EntryStore.Found;
import dev.idem.spi.EntryStore.Guard;
import dev.idem.spi.EntryStore.Row;
import dev.idem.spi.EntryStore.Stamp;
import dev.idem.spi.EntryStore.Swap;
import dev.idem.spi.Fence;
import dev.idem.spi.Ticket;
import dev.idem.testkit.Race;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * The contract of an {@link EntryStore}. Run it first: its tests are small and name the mistake. {@link
 * dev.idem.testkit.contract.LedgerContract} and {@link dev.idem.testkit.hazard.HazardContract} then test the {@link
 * dev.idem.spi.store.StoreLedger} on the store. They do not replace this contract: some mistakes, such as a lease that is
 * not compared, show only here.
 */
public abstract class StoreContract extends ListedRows {
    @Test
    void anAddressWithoutARowHasNone() {
        assertThat(store.read(AT).row()).isNull();
        assertThat(store.replace(insertedAndRemoved(), grant(), Guard.VERSION)).isInstanceOf(Swap.Changed.class);
    }

    private Row insertedAndRemoved() {
        Row row = insert();
        assertThat(delete(row)).isTrue();
        return row;
    }

    @Test
    void anInsertedRowIsReadAsItWasWritten() {
        Draft draft = grant();
        Found found = store.insert(AT, draft);
        Row row = row(found);
        assertSame(row(), row);
        assertThat(row.at()).isEqualTo(AT);
        assertThat(row.version()).as("the version is the writer's").isEqualTo(draft.version());
        assertThat(row.state()).isEqualTo(State.IN_PROGRESS);
        assertThat(row.claimed().isBefore(found.now()))
                .as("the time is read before the row")
                .isFalse();
        assertThat(row.claimed().until(row.lease())).isEqualTo(LEASE);
        assertThat(row.settled()).isNull();
        assertThat(row.expires()).isNull();
        assertThat(row.document()).isEqualTo(draft.document());
        assertThat(row.body()).isNull();
    }

    @Test
    void anInsertWritesNothingOverARow() {
        Row first = insert();
        clocks.advance(Duration.ofSeconds(5));
        Found second = store.insert(AT, grant());
        assertThat(second.inserted()).isFalse();
        assertSame(row(second), first);
        assertSame(row(), first);
    }

    @Test
    void oneOfManyInserts() {
        for (int round = 0; round < 20; round++) {
            Address at = AT.withOperation("race-" + round);
            List<Found> found = Race.of(8, () -> store.insert(at, grant()));
            assertThat(found).filteredOn(Found::inserted).hasSize(1);
            long winner = row(store.read(at)).version();
            // A loser may see no row yet, but never another row than the winner's.
            assertThat(found)
                    .extracting(Found::row)
                    .filteredOn(Objects::nonNull)
                    .extracting(row -> row.version())
                    .containsOnly(winner);
        }
    }

    @Test
    void aReplacedRowIsReadAsItWasWritten() {
        Row granted = insert();
        clocks.advance(Duration.ofSeconds(5));
        Draft draft = completion();
        Row settled = replace(granted, draft);
        assertSame(row(), settled);
        assertThat(settled.version()).isEqualTo(draft.version());
        assertThat(settled.fence()).isEqualTo(granted.fence());
        assertThat(settled.claimed()).isEqualTo(granted.claimed());
        assertThat(settled.lease()).isEqualTo(granted.lease());
        assertThat(settled.settled()).isEqualTo(clocks.now());
        assertThat(settled.expires()).isEqualTo(clocks.now().wall().plus(Duration.ofDays(1)));
        assertThat(settled.document()).isEqualTo(draft.document());
        assertThat(settled.body()).isEqualTo(BODY);
    }

    @Test
    void aGrantClearsWhatWasSettled() {
        Row settled = replace(insert(), completion());
        Row granted = replace(settled, grant());
        assertThat(granted.settled()).isNull();
        assertThat(granted.expires()).isNull();
        assertThat(granted.body()).isNull();
        assertThat(granted.fence()).isGreaterThan(settled.fence());
        assertThat(granted.claimed()).isEqualTo(clocks.now());
        clocks.advance(Duration.ofDays(30));
        assertSame(row(), granted);
    }

    @Test
    void aWriteWithoutAStampLeavesTheTimes() {
        Row settled = replace(insert(), completion());
        clocks.advance(Duration.ofSeconds(5));
        Row stripped = replace(settled, draft(State.EXPIRED, Stamp.NONE, false));
        assertThat(stripped.claimed()).isEqualTo(settled.claimed());
        assertThat(stripped.lease()).isEqualTo(settled.lease());
        assertThat(stripped.settled()).isEqualTo(settled.settled());
        assertThat(stripped.expires()).isEqualTo(settled.expires());
        assertThat(stripped.state()).isEqualTo(State.EXPIRED);
        assertThat(stripped.body()).isNull();
    }

    @Test
    void anotherVersionIsNotReplaced() {
        Row seen = insert();
        Row changed = replace(seen, completion());
        for (Guard guard : Guard.values()) {
            // The first has a new fence, the second that of the row.
            assertThat(store.replace(seen, grant(), guard)).isInstanceOf(Swap.Changed.class);
            assertThat(store.replace(seen, completion(), guard)).isInstanceOf(Swap.Changed.class);
        }
        assertSame(row(), changed);
    }

    @Test
    void aRenewedLeaseIsReplacedByItsOwnerOnly() {
        Row seen = insert();
        clocks.advance(LEASE);
        assertThat(store.renew(Map.of(ticket(seen), LEASE)).lost()).isEmpty();
        Row renewed = row();
        assertThat(renewed.version()).as("a heartbeat leaves the version").isEqualTo(seen.version());
        assertThat(renewed.lease()).isEqualTo(clocks.now().plus(LEASE));
        assertThat(store.replace(seen, grant(), Guard.VERSION_AND_LEASE))
                .as("a take-over of a lease that was renewed in the meantime")
                .isInstanceOf(Swap.Changed.class);
        assertThat(store.replace(seen, draft(State.IN_DOUBT, Stamp.SETTLED, false), Guard.VERSION_AND_LEASE))
                .as("a doubt about a lease that was renewed in the meantime")
                .isInstanceOf(Swap.Changed.class);
        assertThat(store.replace(seen, completion(), Guard.VERSION))
                .as("the owner's settle after its own heartbeat")
                .isInstanceOf(Swap.Written.class);
        assertThat(row().lease()).as("the lease stays as it is").isEqualTo(renewed.lease());
    }

    @Test
    void aRenewalRevivesNothing() {
        Row settled = replace(insert(), completion());
        assertThat(store.renew(Map.of(ticket(settled), LEASE)).lost()).containsExactly(ticket(settled));
        assertSame(row(), settled);
    }

    @Test
    void aRenewalNeedsTheFence() {
        Row first = insert();
        Row second = replace(first, grant());
        clocks.advance(Duration.ofSeconds(1));
        Ticket absent = new Ticket(AT.withOperation("absent"), new Fence(1));
        assertThat(store.renew(Map.of(ticket(first), LEASE, ticket(second), LEASE, absent, LEASE))
                        .lost())
                .containsExactlyInAnyOrder(ticket(first), absent);
        Row renewed = row();
        assertThat(renewed.lease()).isEqualTo(clocks.now().plus(LEASE));
        clocks.advance(Duration.ofSeconds(1));
        assertThat(store.renew(Map.of(ticket(first), LEASE)).lost()).containsExactly(ticket(first));
        assertSame(row(), renewed);
    }

    @Test
    void fencesGrowWithEveryGrant() {
        Row first = insert();
        Row again = replace(first, grant());
        Row forgotten = replace(again, draft(null, Stamp.NONE, false));
        assertThat(forgotten.fence()).as("a forgotten row keeps its fence").isEqualTo(again.fence());
        Row anew = replace(forgotten, grant());
        assertThat(List.of(first.fence(), again.fence(), anew.fence()))
                .as("fences of three grants, the last of them after a forget")
                .isSorted()
                .doesNotHaveDuplicates();
    }

    /** A forget is a replace without a state. Only a delete removes rows. */
    @Test
    void aForgottenRowStaysAndKeepsItsFence() {
        Row settled = replace(insert(), completion());
        Draft draft = unstamped(null, Duration.ofDays(7));
        Row forgotten = replace(settled, draft);
        assertThat(store.read(AT).row())
                .as("a forget is a replace with state null: the row must stay, with its fence and its document")
                .isNotNull();
        assertSame(row(), forgotten);
        assertThat(forgotten.state()).as("the state of a forgotten row").isNull();
        assertThat(forgotten.fence()).as("a forgotten row keeps its fence").isEqualTo(settled.fence());
        assertThat(forgotten.document())
                .as("a forgotten row has the document of the draft, which holds its trail")
                .isEqualTo(draft.document());
        assertThat(forgotten.body()).as("the body of a forgotten row").isNull();
        assertThat(store.insert(AT, grant()).inserted())
                .as("an insert writes nothing over a forgotten row")
                .isFalse();
    }

    @Test
    void fencesGrowAfterARowWasDeleted() {
        Row before = replace(insert(), grant());
        assertThat(delete(before)).isTrue();
        clocks.advance(Duration.ofMillis(1));
        assertThat(insert().fence())
                .as("the fence of a grant after its row was deleted")
                .isGreaterThan(before.fence());
    }

    @Test
    void onlyTheVersionThatWasSeenIsDeleted() {
        Row seen = replace(insert(), completion());
        Row sameFence = replace(seen, draft(State.EXPIRED, Stamp.NONE, false));
        assertThat(delete(seen)).isFalse();
        assertSame(row(), sameFence);
        Row newFence = replace(sameFence, grant());
        assertThat(delete(sameFence)).isFalse();
        assertSame(row(), newFence);
    }

    @Test
    void aReplaceLeavesTheCountOfReplays() {
        Row seen = replace(insert(), completion());
        counting().countReplays(Map.of(ticket(seen), 3L));
        counting().countReplays(Map.of(ticket(seen), 4L));
        assertThat(row().replays()).isEqualTo(7);
        assertThat(row().version()).as("counting leaves the version").isEqualTo(seen.version());
        assertThat(replace(seen, draft(State.EXPIRED, Stamp.NONE, false)).replays())
                .isEqualTo(7);
    }

    @Test
    void aNewLifeCountsFromZero() {
        Row seen = replace(insert(), completion());
        counting().countReplays(Map.of(ticket(seen), 3L));
        Draft again = grant();
        Draft fresh = new Draft(
                again.version(),
                again.state(),
                true,
                true,
                again.stamp(),
                again.lease(),
                null,
                null,
                again.labels(),
                again.document(),
                null);
        assertThat(replace(seen, fresh).replays()).isZero();
        counting().countReplays(Map.of(ticket(seen), 3L));
        assertThat(row().replays()).as("the count of another grant").isZero();
    }
}
