package dev.idem.sqlite;

import dev.idem.entry.Address;
import dev.idem.entry.Entry;
import dev.idem.entry.Fence;
import dev.idem.entry.Result;
import dev.idem.entry.State;
import dev.idem.ledger.Fences;
import dev.idem.sql.EntryBinder;
import dev.idem.sql.EntryReader;
import dev.idem.sql.EntryRow;
import dev.idem.sql.Micros;
import dev.idem.sql.TrailChange;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A transaction that holds the write lock: reads and writes entries with their labels and trails. */
final class WriteTransaction {
    private static final int LARGEST_PURGE = 1 << 20;

    private final Session session;
    private final TrailTable trail;
    private final ReplayCounts replays;
    private final List<Address> changed = new ArrayList<>();
    private Map<Long, Long> countedReplays = Map.of();
    private long highestFence = -1;
    private long writes;

    WriteTransaction(Session session, boolean trail, ReplayCounts replays) {
        this.session = session;
        this.trail = new TrailTable(session, trail);
        this.replays = replays;
    }

    /** How many times something was written. */
    long writes() {
        return writes;
    }

    /** The addresses whose entries have changed. */
    List<Address> changed() {
        return changed;
    }

    @Nullable
    EntryRow find(Address address) throws SQLException {
        return Finding.byAddress(session, address);
    }

    /** Finds the entry and, the first time in this transaction, the highest fence with it. */
    @Nullable
    EntryRow findForClaim(Address address) throws SQLException {
        if (highestFence >= 0) {
            return find(address);
        }
        PreparedStatement find = session.statement("find-for-claim");
        Finding.bind(find, address);
        try (ResultSet row = find.executeQuery()) {
            row.next();
            highestFence = row.getLong(3);
            return Finding.entry(row);
        }
    }

    /** Numbers that no grant has had. */
    Fences fences() throws SQLException {
        if (highestFence < 0) {
            try (ResultSet row = session.statement("highest-fence").executeQuery()) {
                row.next();
                highestFence = row.getLong(1);
            }
        }
        return () -> new Fence(++highestFence);
    }

    /** Writes an entry that was not there before. */
    void insert(Entry entry) throws SQLException {
        writes++;
        write(new EntryRow(entry, trail.first(entry.fence())));
        changed.add(entry.address());
    }

    /** Writes an entry over what was found. */
    void replace(EntryRow found, Entry entry, TrailChange told) throws SQLException {
        writes++;
        EntryRow row = new EntryRow(entry, trail.write(found.trail(), told));
        if (!found.entry().fence().equals(entry.fence())) {
            delete(found.entry());
            write(row);
        } else {
            update(row);
        }
        changed.add(entry.address());
    }

    /** Removes an entry at a person's wish; its trail stays for a while. */
    void forget(EntryRow found, TrailChange told, Instant keepTrailUntil) throws SQLException {
        writes++;
        remove(found.entry());
        trail.keepForgotten(found.entry().address(), trail.write(found.trail(), told), keepTrailUntil);
        changed.add(found.entry().address());
    }

    /** Removes an expired entry with its trail. */
    void drop(EntryRow found) throws SQLException {
        writes++;
        remove(found.entry());
        trail.remove(found.trail());
        changed.add(found.entry().address());
    }

    /** Some of the expired entries, and of those whose tombstones are over; oldest first, no more than is quick. */
    List<EntryRow> due(Instant now, int limit) throws SQLException {
        List<EntryRow> rows = new ArrayList<>();
        PreparedStatement select = session.statement("due-entries");
        select.setLong(1, Micros.of(now));
        select.setInt(2, limit);
        long bytes = 0;
        try (ResultSet found = select.executeQuery()) {
            while (bytes < LARGEST_PURGE && found.next()) {
                EntryRow row = EntryReader.read(found.getString(1), found.getBytes(2));
                bytes += row.entry().result() instanceof Result.Stored stored
                        ? stored.payload().bytes().length
                        : 0;
                rows.add(row);
            }
        }
        return rows;
    }

    /** Removes trails of forgotten entries that were kept long enough. */
    void dropForgottenTrails(Instant now, int limit) throws SQLException {
        writes += trail.dropForgotten(now, limit);
    }

    private void remove(Entry entry) throws SQLException {
        delete(entry);
        // The row was the memory of its fence.
        PreparedStatement keep = session.statement("keep-fence");
        keep.setLong(1, entry.fence().number());
        keep.executeUpdate();
    }

    private void delete(Entry entry) throws SQLException {
        PreparedStatement delete = session.statement("remove");
        delete.setLong(1, entry.fence().number());
        delete.executeUpdate();
        labels("remove-label", entry);
    }

    private void write(EntryRow row) throws SQLException {
        PreparedStatement grant = session.statement("grant");
        EntryBinder.grant(grant, row);
        grant.executeUpdate();
        labels("label", row.entry());
        if (row.entry().state() != State.IN_PROGRESS) {
            update(row);
        }
    }

    private void update(EntryRow row) throws SQLException {
        boolean held = row.entry().state() == State.IN_PROGRESS;
        PreparedStatement update = session.statement(held ? "hold" : "end");
        if (held) {
            EntryBinder.hold(update, row);
        } else {
            EntryBinder.end(update, row);
        }
        if (update.executeUpdate() != 1) {
            throw new SQLException("the entry with fence " + row.entry().fence() + " is not there");
        }
    }

    private void labels(String statement, Entry entry) throws SQLException {
        for (Map.Entry<String, String> label : entry.labels().entrySet()) {
            PreparedStatement change = session.statement(statement);
            change.setString(1, label.getKey());
            change.setString(2, label.getValue());
            change.setLong(3, entry.fence().number());
            change.executeUpdate();
        }
    }

    /** Makes the commit worth its while for the replays that wait. */
    boolean writeReplays() {
        writes++;
        return true;
    }

    /** Replays that were counted meanwhile ride along with a change; they never cost a commit of their own. */
    void commit() throws SQLException {
        if (writes > 0) {
            countedReplays = replays.take();
            for (Map.Entry<Long, Long> counted : countedReplays.entrySet()) {
                PreparedStatement count = session.statement("count-replays");
                count.setLong(1, counted.getValue());
                count.setLong(2, counted.getKey());
                count.executeUpdate();
            }
        }
        try {
            session.run("commit");
        } catch (SQLException e) {
            replays.giveBack(countedReplays);
            throw e;
        }
    }

    void rollBack() throws SQLException {
        session.run("rollback");
    }
}
