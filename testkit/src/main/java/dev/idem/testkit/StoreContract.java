package dev.idem.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.Address;
import dev.idem.State;
import dev.idem.spi.AttemptId;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.EntryStore;
import dev.idem.spi.EntryStore.Draft;
import dev.idem.spi.EntryStore.Found;
import dev.idem.spi.EntryStore.Guard;
import dev.idem.spi.EntryStore.Row;
import dev.idem.spi.EntryStore.Stamp;
import dev.idem.spi.EntryStore.Swap;
import dev.idem.spi.Fence;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Ledger;
import dev.idem.spi.Owner;
import dev.idem.spi.Processes;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.Searchable;
import dev.idem.spi.browse.Walkable;
import dev.idem.spi.store.StoreLedger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The contract of an {@link EntryStore}. Run it first: its tests are small and name the mistake. {@link
 * LedgerContract} and {@link HazardContract} then test the {@link dev.idem.spi.store.StoreLedger} on the store. They do not
 * replace this contract: some mistakes, such as a lease that is not compared, show only here.
 */
public abstract class StoreContract extends StoreCase {
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
            assertThat(store.replace(seen, grant(), guard)).isInstanceOf(Swap.Changed.class);
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
        assertThat(row().lease()).isEqualTo(clocks.now().plus(LEASE));
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
        Row changed = replace(seen, grant());
        assertThat(delete(seen)).isFalse();
        assertSame(row(), changed);
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

    @Test
    void rowsAreDueWhenTheDueInOfTheirDraftIsOver() {
        Row settled = replace(insert(), completion());
        store.insert(AT.withOperation("running"), grant());
        assertThat(due()).isEmpty();
        clocks.advance(Duration.ofDays(1));
        assertThat(due()).singleElement().satisfies(row -> assertSame(row, settled));
        replace(settled, grant());
        assertThat(due()).as("a grant is never due").isEmpty();
    }

    /** Tombstones and forgotten rows are due later than they expired. */
    @Test
    void everyWriteSetsAnewWhenItsRowIsDue() {
        Row settled = replace(insert(), completion());
        clocks.advance(Duration.ofDays(1));
        Row tombstone = replace(settled, unstamped(State.EXPIRED, Duration.ofDays(3)));
        assertThat(tombstone.expires()).as("without a stamp, expires stays").isEqualTo(settled.expires());
        assertThat(due())
                .as("a row is due when the dueIn of its newest write is over, not when it expires")
                .isEmpty();
        clocks.advance(Duration.ofDays(3));
        assertThat(due())
                .as("a row whose dueIn is over, written without a stamp")
                .extracting(Row::version)
                .containsExactly(tombstone.version());
        Row forgotten = replace(tombstone, unstamped(null, Duration.ofDays(7)));
        assertThat(due()).as("the dueIn of the forget has just begun").isEmpty();
        clocks.advance(Duration.ofDays(7));
        assertThat(due())
                .as("a forgotten row whose dueIn is over")
                .singleElement()
                .satisfies(row -> assertSame(row, forgotten));
        replace(forgotten, unstamped(null, null));
        assertThat(due()).as("a write without a dueIn makes its row never due").isEmpty();
    }

    /** Rows that can't be purged stay due, and must not hide the rows after them. */
    @Test
    void pagesOfDueRowsGoOnBehindRowsThatStay() {
        Searchable searchable = searchable();
        List<Row> settled = IntStream.range(0, 5)
                .mapToObj(i -> replace(row(store.insert(AT.withOperation("op-" + i), grant())), completion()))
                .toList();
        clocks.advance(Duration.ofDays(1));
        List<Long> met = new ArrayList<>();
        String place = null;
        int pages = 0;
        do {
            Walkable.Batch page = searchable.due(place, 2);
            page.rows().forEach(row -> met.add(row.version()));
            assertThat(met)
                    .as("a page goes on behind the last row of the page before, also where that row is still due")
                    .doesNotHaveDuplicates();
            assertThat(++pages).as("pages of five rows, two at a time").isLessThan(10);
            place = page.next();
        } while (place != null);
        assertThat(met)
                .containsExactlyInAnyOrderElementsOf(
                        settled.stream().map(Row::version).toList());
        replace(settled.get(0), grant());
        assertThat(searchable.delete(settled))
                .as("all but the one that has changed")
                .isEqualTo(4);
        assertThat(searchable.countDue()).isZero();
    }

    @Test
    void rowsAreListedDownwardsByFence() {
        Searchable searchable = searchable();
        for (int i = 0; i < 5; i++) {
            store.insert(AT.withOperation("op-" + i), grant());
        }
        replace(insert(), draft(null, Stamp.NONE, false));
        List<Row> all = searchable
                .scan(Query.all(), EnumSet.allOf(State.class), Long.MAX_VALUE, 10)
                .rows();
        assertThat(all).extracting(row -> row.at().operation()).containsExactly("op-4", "op-3", "op-2", "op-1", "op-0");
        long below = all.get(1).fence().number();
        assertThat(searchable
                        .scan(Query.all(), EnumSet.of(State.IN_PROGRESS), below, 2)
                        .rows())
                .extracting(row -> row.at().operation())
                .containsExactly("op-2", "op-1");
        assertThat(searchable.counts()).isEqualTo(Map.of(State.IN_PROGRESS, 5L));
    }

    @Test
    void aWalkMeetsEveryRow() {
        Row settled = replace(insert(), completion());
        for (int i = 0; i < 5; i++) {
            store.insert(AT.withOperation("op-" + i), grant());
        }
        assertThat(walked(false)).hasSize(6).extracting(Row::version).contains(settled.version());
        assertThat(walked(true)).isEmpty();
        clocks.advance(Duration.ofDays(1));
        assertThat(walked(true)).singleElement().satisfies(row -> assertSame(row, settled));
    }

    /** One row that a later version wrote, or a person has edited, hid all other entries. */
    @Test
    void aRowThatCanNotBeReadHidesNoOther() {
        Ledger ledger = new StoreLedger(store, Processes.unknown());
        List<Address> readable = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Address at = AT.withOperation("op-" + i);
            readable.add(0, at);
            ledger.claim(ClaimRequest.of(new AttemptId(7, i), at, Fingerprints.NONE, Owner.named("me")));
            if (i == 1) {
                // The documents of this contract are none that the rules can read.
                insert();
            }
        }
        assumeTrue(ledger.as(Browsable.class).isPresent(), "this store is neither Searchable nor Walkable");
        Browsable browsable = ledger.as(Browsable.class).orElseThrow();
        List<Address> met = new ArrayList<>();
        List<Address> unreadable = new ArrayList<>();
        String next = null;
        do {
            Page page = browsable.browse(Query.all().withLimit(1).withAfter(next));
            page.entries().forEach(entry -> met.add(entry.address()));
            page.unreadable().forEach(row -> unreadable.add(row.address()));
            next = page.next();
            // A store whose fences do not grow would have pages without end.
        } while (next != null && met.size() <= readable.size());
        assertThat(met).isEqualTo(readable);
        assertThat(unreadable).as("it is named once, on one page").containsExactly(AT);
        assertThat(browsable.browse(Query.all().withKey("another")).unreadable())
                .as("where another key is asked for")
                .isEmpty();
        assertThat(browsable.stats().count(State.IN_PROGRESS))
                .as("it counts by its stored state")
                .isEqualTo(4);
    }
}
