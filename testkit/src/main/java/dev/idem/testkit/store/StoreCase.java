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
import dev.idem.spi.LedgerContext;
import dev.idem.spi.ReplayCounting;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Searchable;
import dev.idem.spi.browse.Walkable;
import dev.idem.testkit.SettableClocks;
import dev.idem.testkit.SettableProcesses;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;

/** The base of the tests of stores: an open store, settable clocks, drafts, and the usual steps. */
abstract class StoreCase {
    static final Address AT = new Address("shop", "charge", "order-1");
    static final Duration LEASE = Duration.ofSeconds(30);
    static final byte[] BODY = {0, 1, (byte) 0xff};

    private static final String NO_LIST = "this store is neither Searchable nor Walkable";

    private final AtomicLong versions = new AtomicLong(0x5eed_0000_0000_0001L);
    final SettableClocks clocks = clocks();
    EntryStore store;

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

    Draft draft(@Nullable State state, Stamp stamp, boolean newFence) {
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

    /** The draft that a purge or a forget writes: no stamp, and a time of its own at which the row is due. */
    Draft unstamped(@Nullable State state, @Nullable Duration dueIn) {
        Draft like = draft(state, Stamp.NONE, false);
        return new Draft(
                like.version(), state, false, false, Stamp.NONE, null, dueIn, null, Map.of(), like.document(), null);
    }

    Draft grant() {
        return draft(State.IN_PROGRESS, Stamp.CLAIMED, true);
    }

    Draft completion() {
        return draft(State.COMPLETE, Stamp.SETTLED, false);
    }

    Row insert() {
        Found found = store.insert(AT, grant());
        assertThat(found.inserted()).isTrue();
        return row(found);
    }

    Row row() {
        return row(store.read(AT));
    }

    static Row row(Found found) {
        return Objects.requireNonNull(found.row(), "there is no row");
    }

    Row replace(Row seen, Draft next) {
        Swap swap = store.replace(seen, next, Guard.VERSION_AND_LEASE);
        assertThat(swap)
                .as(seen.state() == null ? "a forgotten row stays and can be replaced" : "replacing " + seen)
                .isInstanceOf(Swap.Written.class);
        return ((Swap.Written) swap).row();
    }

    static void assertSame(Row row, Row expected) {
        assertThat(row).usingRecursiveComparison().isEqualTo(expected);
    }

    static Ticket ticket(Row row) {
        return new Ticket(row.at(), row.fence());
    }

    /** The rows that are due. */
    Collection<Row> due() {
        if (store instanceof Walkable) {
            return walked(true);
        }
        Searchable searchable = searchable(NO_LIST);
        List<Row> due = searchable.due(null, 10).rows();
        assertThat(searchable.countDue()).as("countDue").isEqualTo(due.size());
        return due;
    }

    /** The rows that a walk meets, each once. */
    Collection<Row> walked(boolean dueOnly) {
        Assumptions.assumeTrue(store instanceof Walkable, "this store is not Walkable");
        Map<Long, Row> met = new HashMap<>();
        String place = null;
        do {
            Walkable.Batch batch = ((Walkable) store).walk(dueOnly, place);
            batch.rows().forEach(row -> met.put(row.version(), row));
            place = batch.next();
        } while (place != null);
        return met.values();
    }

    boolean delete(Row seen) {
        return store instanceof Walkable walkable
                ? walkable.delete(seen)
                : searchable(NO_LIST).delete(List.of(seen)) == 1;
    }

    Searchable searchable() {
        return searchable("this store is not Searchable");
    }

    private Searchable searchable(String otherwise) {
        Assumptions.assumeTrue(store instanceof Searchable, otherwise);
        return (Searchable) store;
    }

    ReplayCounting counting() {
        Assumptions.assumeTrue(store instanceof ReplayCounting, "this store is not ReplayCounting");
        return (ReplayCounting) store;
    }
}
