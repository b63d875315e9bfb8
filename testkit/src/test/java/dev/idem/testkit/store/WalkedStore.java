package dev.idem.testkit.store;

import dev.idem.Address;
import dev.idem.State;
import dev.idem.spi.Clocks;
import dev.idem.spi.EntryStore;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.Walkable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows in a map that are walked over three at a time; the last of them is met again. */
final class WalkedStore implements EntryStore, Walkable {
    private static final int BATCH = 3;

    private final MapStore rows;

    WalkedStore(MapStore.Table table, Clocks clocks) {
        this.rows = new MapStore(table, clocks);
    }

    @Override
    public Batch walk(boolean dueOnly, @Nullable String place) {
        long below = place == null ? Long.MAX_VALUE : Long.parseLong(place);
        Batch due = rows.due(null, Integer.MAX_VALUE);
        List<Row> batch = new ArrayList<>(
                rows.scan(Query.all(), EnumSet.allOf(State.class), below, BATCH).rows());
        String next = null;
        if (batch.size() == BATCH) {
            next = Long.toString(batch.get(BATCH - 1).fence().number() + 1);
        } else {
            due.rows().stream().filter(row -> row.state() == null).forEach(batch::add);
        }
        if (dueOnly) {
            batch.removeIf(row -> due.rows().stream().noneMatch(each -> each.version() == row.version()));
        }
        return new Batch(batch, due.now(), next);
    }

    @Override
    public boolean delete(Row seen) {
        return rows.delete(seen);
    }

    @Override
    public Found insert(Address at, Draft first) {
        return rows.insert(at, first);
    }

    @Override
    public Found read(Address at) {
        return rows.read(at);
    }

    @Override
    public Swap replace(Row seen, Draft next, Guard guard) {
        return rows.replace(seen, next, guard);
    }

    @Override
    public Renewed renew(Map<Ticket, Duration> leases) {
        return rows.renew(leases);
    }

    @Override
    public String describe() {
        return "a map that is walked over";
    }

    @Override
    public void close() {}
}
