package dev.idem.sqlite;

import dev.idem.entry.Address;
import dev.idem.entry.Fence;
import dev.idem.ledger.TrailLine;
import dev.idem.sql.EntryRow;
import dev.idem.sql.Micros;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The trails of entries. Each is bounded: a long one keeps its first lines and its newest. */
final class TrailTable {
    static final int FIRST_LINES = 20;
    static final int NEWEST_LINES = 480;

    private final Session session;
    private final boolean on;

    /** Made with {@code on}: whether lines are written; what is there can be read and removed in any case. */
    TrailTable(Session session, boolean on) {
        this.session = session;
        this.on = on;
    }

    /** How many lines a trail has had once these are added. */
    int countAfter(int before, List<TrailLine> lines) {
        return on ? before + lines.size() : before;
    }

    /** Adds the last lines of a row that already counts them. */
    void add(EntryRow row, List<TrailLine> lines) throws SQLException {
        if (!on) {
            return;
        }
        int number = row.lines() - lines.size();
        for (TrailLine line : lines) {
            PreparedStatement insert = session.statement("trail-line");
            insert.setLong(1, row.origin());
            insert.setInt(2, number);
            insert.setLong(3, Micros.of(line.at()));
            insert.setLong(4, line.fence().number());
            insert.setString(5, line.event());
            insert.setString(6, line.detail());
            insert.executeUpdate();
            if (number >= FIRST_LINES + NEWEST_LINES) {
                PreparedStatement shorten = session.statement("shorten-trail");
                shorten.setLong(1, row.origin());
                shorten.setInt(2, number - NEWEST_LINES);
                shorten.executeUpdate();
            }
            number++;
        }
    }

    void remove(long origin) throws SQLException {
        PreparedStatement remove = session.statement("remove-trail");
        remove.setLong(1, origin);
        remove.executeUpdate();
    }

    void keepForgotten(EntryRow row, Instant until) throws SQLException {
        if (row.lines() == 0) {
            return;
        }
        PreparedStatement forgotten = session.statement("forgotten");
        Finding.bind(forgotten, row.entry().address());
        forgotten.setLong(4, row.origin());
        forgotten.setLong(5, Micros.of(until));
        forgotten.executeUpdate();
    }

    /** Removes trails that were kept long enough and says how many. */
    int dropForgotten(Instant now, int limit) throws SQLException {
        record Kept(Address address, long origin) {}
        List<Kept> due = new ArrayList<>();
        PreparedStatement select = session.statement("due-forgotten");
        select.setLong(1, Micros.of(now));
        select.setInt(2, limit);
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                due.add(new Kept(
                        new Address(rows.getString(3), rows.getString(2), rows.getString(1)), rows.getLong(4)));
            }
        }
        for (Kept kept : due) {
            PreparedStatement remove = session.statement("remove-forgotten");
            Finding.bind(remove, kept.address());
            remove.setLong(4, kept.origin());
            remove.executeUpdate();
            remove(kept.origin());
        }
        return due.size();
    }

    List<TrailLine> of(Address address) throws SQLException {
        List<TrailLine> lines = new ArrayList<>();
        PreparedStatement select = session.statement("trail");
        Finding.bind(select, address);
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                lines.add(new TrailLine(
                        Micros.instant(rows.getLong(1)),
                        new Fence(rows.getLong(2)),
                        rows.getString(3),
                        rows.getString(4)));
            }
        }
        return lines;
    }
}
