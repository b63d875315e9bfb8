package dev.idem.sqlite;

import dev.idem.Address;
import dev.idem.Json;
import dev.idem.LedgerUnreadableException;
import dev.idem.State;
import dev.idem.internal.ledger.TimeText;
import dev.idem.spi.Clocks;
import dev.idem.spi.EntryStore.Draft;
import dev.idem.spi.EntryStore.Guard;
import dev.idem.spi.EntryStore.Row;
import dev.idem.spi.EntryStore.Swap;
import dev.idem.spi.Fence;
import dev.idem.spi.Moment;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Counts;
import dev.idem.spi.browse.Walkable;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The table of entries, through one connection. Every write is one statement. */
final class EntryTable {
    static final String COLUMNS = "fence, scope, operation, key, state, version, claimed, lease, settled, expires,"
            + " replays, document, body";

    private static final String FORGOTTEN = "forgotten";

    private final SqliteConnection sqlite;
    private final Clocks clocks;

    EntryTable(SqliteConnection sqlite, Clocks clocks) {
        this.sqlite = sqlite;
        this.clocks = clocks;
    }

    @Nullable
    Row read(Address at) throws SQLException {
        PreparedStatement read = sqlite.statement("read");
        bind(read, 1, at);
        try (ResultSet found = read.executeQuery()) {
            return found.next() ? row(found) : null;
        }
    }

    /** Inserts a row; empty if there is one already. */
    Optional<Row> insert(Address at, Draft first) throws SQLException {
        RowTimes times = RowTimes.of(null, first, clocks.now());
        PreparedStatement insert = sqlite.statement("insert");
        bind(insert, times, first);
        bind(insert, 11, at);
        return insert.executeUpdate() == 0 ? Optional.empty() : Optional.of(times.row(at, newFence(), 0, first));
    }

    /** Replaces a row, if it has not changed. */
    Swap replace(Row seen, Draft next, Guard guard) throws SQLException {
        RowTimes times = RowTimes.of(seen, next, clocks.now());
        PreparedStatement replace = sqlite.statement(next.newFence() ? "replace-with-new-fence" : "replace");
        bind(replace, times, next);
        replace.setBoolean(11, next.fresh());
        replace.setLong(12, seen.fence().number());
        replace.setLong(13, seen.version());
        replace.setString(14, guard == Guard.VERSION ? null : SortableTime.of(seen.lease()));
        if (replace.executeUpdate() == 0) {
            return new Swap.Changed();
        }
        Fence fence = next.newFence() ? newFence() : seen.fence();
        return new Swap.Written(asStored(times.row(seen.at(), fence, seen.replays(), next)));
    }

    private Fence newFence() throws SQLException {
        return new Fence(number(sqlite.statement("new-fence")));
    }

    /** The lease and the count of replays may have changed since the row was read. */
    private Row asStored(Row row) throws SQLException {
        PreparedStatement select = sqlite.statement("lease-and-replays");
        select.setLong(1, row.fence().number());
        select.setLong(2, row.version());
        try (ResultSet found = select.executeQuery()) {
            return found.next() ? row.with(TimeText.moment(found.getString(1)), found.getLong(2)) : row;
        }
    }

    boolean renew(Ticket ticket, Duration lease) throws SQLException {
        PreparedStatement renew = sqlite.statement("renew");
        renew.setString(1, SortableTime.of(clocks.now().plus(lease)));
        renew.setLong(2, ticket.fence().number());
        bind(renew, 3, ticket.address());
        return renew.executeUpdate() > 0;
    }

    void countReplays(Ticket ticket, long more) throws SQLException {
        PreparedStatement count = sqlite.statement("count-replays");
        count.setLong(1, more);
        count.setLong(2, ticket.fence().number());
        bind(count, 3, ticket.address());
        count.executeUpdate();
    }

    int delete(Row seen) throws SQLException {
        PreparedStatement delete = sqlite.statement("delete");
        delete.setLong(1, seen.fence().number());
        delete.setLong(2, seen.version());
        return delete.executeUpdate();
    }

    /** A page of due rows. After a full page another one follows. */
    Walkable.Batch due(Moment now, @Nullable String place, int limit) throws SQLException {
        String[] after = (place == null ? " 0" : place).split(" ", 2);
        PreparedStatement due = sqlite.statement("due");
        due.setString(1, SortableTime.of(now.wall()));
        due.setString(2, after[0]);
        due.setLong(3, Long.parseLong(after[1]));
        due.setInt(4, limit);
        List<Row> rows = new ArrayList<>();
        String next = null;
        try (ResultSet found = due.executeQuery()) {
            while (found.next()) {
                rows.add(row(found));
                next = rows.size() < limit ? null : found.getString(14) + " " + found.getLong(1);
            }
        }
        return new Walkable.Batch(rows, now, next);
    }

    long countDue(Instant now) throws SQLException {
        PreparedStatement count = sqlite.statement("count-due");
        count.setString(1, SortableTime.of(now));
        return number(count);
    }

    static List<Row> rows(PreparedStatement select) throws SQLException {
        List<Row> rows = new ArrayList<>();
        try (ResultSet found = select.executeQuery()) {
            while (found.next()) {
                rows.add(row(found));
            }
        }
        return rows;
    }

    static List<Counts.Group> groups(PreparedStatement count) throws SQLException {
        List<Counts.Group> groups = new ArrayList<>();
        try (ResultSet found = count.executeQuery()) {
            while (found.next()) {
                groups.add(new Counts.Group(
                        found.getString(2),
                        State.ofWord(found.getString(3)),
                        Instant.parse(found.getString(1)),
                        found.getLong(4),
                        found.getLong(5)));
            }
        }
        return groups;
    }

    static long number(PreparedStatement select) throws SQLException {
        try (ResultSet found = select.executeQuery()) {
            found.next();
            return found.getLong(1);
        }
    }

    /** {@code state, version, claimed, lease, settled, expires, due, labels, document, body}. */
    private static void bind(PreparedStatement write, RowTimes times, Draft draft) throws SQLException {
        State state = draft.state();
        write.setString(1, state == null ? FORGOTTEN : state.word());
        write.setLong(2, draft.version());
        write.setString(3, SortableTime.of(times.claimed()));
        write.setString(4, draft.lease() == null ? null : SortableTime.of(times.lease()));
        write.setString(5, SortableTime.ofNullable(times.settled()));
        write.setString(6, SortableTime.ofNullable(times.expires()));
        write.setString(7, SortableTime.ofNullable(times.due()));
        write.setString(8, draft.labels().isEmpty() ? null : json(draft.labels()));
        write.setString(9, new String(draft.document(), StandardCharsets.UTF_8));
        write.setBytes(10, draft.body());
    }

    private static String json(Map<String, String> labels) {
        Map<String, String> whole = new TreeMap<>();
        labels.forEach((name, value) -> whole.put(whole(name), whole(value)));
        return Json.write(whole);
    }

    /** Replaces lone surrogates, which JSON does not allow, by question marks, as in the document. */
    private static String whole(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    private static void bind(PreparedStatement statement, int first, Address at) throws SQLException {
        statement.setString(first, at.key());
        statement.setString(first + 1, at.operation());
        statement.setString(first + 2, at.scope());
    }

    private static Row row(ResultSet found) throws SQLException {
        Address at = new Address(found.getString(2), found.getString(3), found.getString(4));
        try {
            String state = found.getString(5);
            String settled = found.getString(9);
            String expires = found.getString(10);
            return new Row(
                    at,
                    found.getLong(6),
                    new Fence(found.getLong(1)),
                    state.equals(FORGOTTEN) ? null : State.ofWord(state),
                    TimeText.moment(found.getString(7)),
                    TimeText.moment(found.getString(8)),
                    settled == null ? null : TimeText.moment(settled),
                    expires == null ? null : TimeText.instant(expires),
                    found.getLong(11),
                    found.getString(12).getBytes(StandardCharsets.UTF_8),
                    found.getBytes(13));
        } catch (RuntimeException e) {
            throw new LedgerUnreadableException("the row of " + at + " can't be read: " + e.getMessage(), e);
        }
    }
}
