package dev.idem.testkit;

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
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Query;
import dev.idem.spi.ReplayCounting;
import dev.idem.spi.Searchable;
import dev.idem.spi.Ticket;
import dev.idem.spi.Walkable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The contract of an {@link EntryStore}. Run it first: when it passes, {@link LedgerContract} shows that a
 * {@link dev.idem.spi.StoreLedger} on the store keeps every promise.
 */
public abstract class StoreContract {
    private static final Address AT = new Address("shop", "charge", "order-1");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final byte[] BODY = {0, 1, (byte) 0xff};

    private final AtomicLong versions = new AtomicLong(0x5eed_0000_0000_0001L);
    private final SettableClocks clocks = clocks();
    private EntryStore store;

    /** Opens an empty store on these clocks. */
    protected abstract EntryStore open(LedgerContext context);

    /** The clocks that the store follows. */
    protected SettableClocks clocks() {
        return new SettableClocks();
    }

    @BeforeEach
    void openStore() {
        store = open(new LedgerContext(clocks, new SettableProcesses()));
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    private Draft draft(@Nullable State state, Stamp stamp, boolean newFence) {
        boolean claimed = stamp == Stamp.CLAIMED;
        boolean settled = stamp == Stamp.SETTLED;
        long version = versions.getAndIncrement();
        return new Draft(
                version,
                state,
                newFence,
                false,
                stamp,
                claimed ? LEASE : null,
                settled ? Duration.ofDays(1) : null,
                settled ? Duration.ofDays(8) : null,
                Map.of("customer", "ann"),
                ("{\"v\":1,\"n\":" + version + ",\"text\":\"ž 🐎 '\\\\u0000\"}").getBytes(StandardCharsets.UTF_8),
                settled ? BODY : null);
    }

    private Draft grant() {
        return draft(State.IN_PROGRESS, Stamp.CLAIMED, true);
    }

    private Draft completion() {
        return draft(State.COMPLETE, Stamp.SETTLED, false);
    }

    private Row insert() {
        Found found = store.insert(AT, grant());
        assertThat(found.inserted()).isTrue();
        return row(found);
    }

    private Row row() {
        return row(store.read(AT));
    }

    private static Row row(Found found) {
        return Objects.requireNonNull(found.row(), "there is no row");
    }

    private Row replace(Row seen, Draft next) {
        Swap swap = store.replace(seen, next, Guard.VERSION_AND_LEASE);
        assertThat(swap).isInstanceOf(Swap.Written.class);
        return ((Swap.Written) swap).row();
    }

    private static void assertSame(Row row, Row expected) {
        assertThat(row).usingRecursiveComparison().isEqualTo(expected);
    }

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
        assertThat(store.replace(seen, grant(), Guard.VERSION_AND_LEASE)).isInstanceOf(Swap.Changed.class);
        assertThat(store.replace(seen, completion(), Guard.VERSION)).isInstanceOf(Swap.Written.class);
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

    private static Ticket ticket(Row row) {
        return new Ticket(row.at(), row.fence());
    }

    @Test
    void fencesGrowWithEveryGrant() {
        Row first = insert();
        Row again = replace(first, grant());
        Row forgotten = replace(again, draft(null, Stamp.NONE, false));
        assertThat(forgotten.fence()).as("a forgotten row keeps its fence").isEqualTo(again.fence());
        Row anew = replace(forgotten, grant());
        assertThat(List.of(first.fence(), again.fence(), anew.fence()))
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    void fencesGrowAfterARowWasDeleted() {
        Row before = replace(insert(), grant());
        assertThat(delete(before)).isTrue();
        clocks.advance(Duration.ofMillis(1));
        assertThat(insert().fence()).isGreaterThan(before.fence());
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
    void rowsAreDueWhenTheyExpire() {
        Searchable searchable = searchable();
        Row settled = replace(insert(), completion());
        store.insert(AT.withOperation("running"), grant());
        assertThat(searchable.due(null, 10).rows()).isEmpty();
        clocks.advance(Duration.ofDays(1));
        assertThat(searchable.due(null, 10).rows()).singleElement().satisfies(row -> assertSame(row, settled));
        assertThat(searchable.countDue()).isEqualTo(1);
        replace(settled, grant());
        assertThat(searchable.due(null, 10).rows()).as("a grant is never due").isEmpty();
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
        do {
            Walkable.Batch page = searchable.due(place, 2);
            page.rows().forEach(row -> met.add(row.version()));
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
        assertThat(walked(false)).hasSize(6).contains(settled.version());
        assertThat(walked(true)).isEmpty();
        clocks.advance(Duration.ofDays(1));
        assertThat(walked(true)).containsExactly(settled.version());
    }

    private Set<Long> walked(boolean dueOnly) {
        Assumptions.assumeTrue(store instanceof Walkable, "this store is not Walkable");
        Set<Long> met = new HashSet<>();
        String place = null;
        do {
            Walkable.Batch batch = ((Walkable) store).walk(dueOnly, place);
            batch.rows().forEach(row -> met.add(row.version()));
            place = batch.next();
        } while (place != null);
        return met;
    }

    private boolean delete(Row seen) {
        return store instanceof Walkable walkable
                ? walkable.delete(seen)
                : searchable().delete(List.of(seen)) == 1;
    }

    private Searchable searchable() {
        Assumptions.assumeTrue(store instanceof Searchable, "this store is not Searchable");
        return (Searchable) store;
    }

    private ReplayCounting counting() {
        Assumptions.assumeTrue(store instanceof ReplayCounting, "this store counts no replays");
        return (ReplayCounting) store;
    }
}
