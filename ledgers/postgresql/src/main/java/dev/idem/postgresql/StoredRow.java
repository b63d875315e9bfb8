package dev.idem.postgresql;

import dev.idem.Address;
import dev.idem.LedgerUnreadableException;
import dev.idem.State;
import dev.idem.spi.EntryStore.Draft;
import dev.idem.spi.EntryStore.Row;
import dev.idem.spi.Fence;
import dev.idem.spi.Moment;
import dev.idem.spi.browse.Counts;
import dev.idem.spi.browse.LabelNames;
import dev.idem.spi.browse.Searchable.Rows;
import dev.idem.spi.browse.Walkable;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads rows of the table from the answers of the server. */
final class StoredRow {
    private static final String FORGOTTEN = "forgotten";

    private StoredRow() {}

    /** The word for a state, which is null for a forgotten entry. */
    static String word(@Nullable State state) {
        return state == null ? FORGOTTEN : state.word();
    }

    /** The row whose columns begin at {@code from}; null if there is none. */
    static @Nullable Row read(Address at, ResultSet rows, int from) throws SQLException {
        long version = rows.getLong(from);
        if (rows.wasNull()) {
            return null;
        }
        String state = rows.getString(from + 2);
        return new Row(
                at,
                version,
                new Fence(rows.getLong(from + 1)),
                state(at, state),
                moment(rows, from + 3),
                moment(rows, from + 4),
                momentOrNull(rows, from + 5),
                instantOrNull(rows, from + 6),
                rows.getLong(from + 7),
                rows.getBytes(from + 8),
                rows.getBytes(from + 9));
    }

    private static @Nullable State state(Address at, String word) {
        try {
            return word.equals(FORGOTTEN) ? null : State.ofWord(word);
        } catch (IllegalArgumentException e) {
            throw new LedgerUnreadableException("the entry " + at + " can't be read: " + e.getMessage(), e);
        }
    }

    /** The rows of a search: the time, the address, and the columns. */
    static Rows readAll(ResultSet rows) throws SQLException {
        List<Row> all = new ArrayList<>();
        Moment now = null;
        while (rows.next()) {
            now = moment(rows, 1);
            if (rows.getString(2) != null) {
                all.add(row(rows));
            }
        }
        return new Rows(all, Objects.requireNonNull(now, "the server always tells the time"));
    }

    /** The same with one more column, the due time. After a full page another one follows. */
    static Walkable.Batch readDue(ResultSet rows, int limit) throws SQLException {
        List<Row> all = new ArrayList<>();
        Moment now = null;
        String place = null;
        while (rows.next()) {
            now = moment(rows, 1);
            if (rows.getString(2) != null) {
                Row row = row(rows);
                all.add(row);
                place = moment(rows, 15).wall() + " " + row.fence();
            }
        }
        Objects.requireNonNull(now, "the server always tells the time");
        return new Walkable.Batch(all, now, all.size() < limit ? null : place);
    }

    /** The groups of a count: {@code hour, operation, state, count, replays}. */
    static List<Counts.Group> groups(ResultSet rows) throws SQLException {
        List<Counts.Group> groups = new ArrayList<>();
        while (rows.next()) {
            groups.add(new Counts.Group(
                    rows.getString(2),
                    State.ofWord(rows.getString(3)),
                    rows.getObject(1, LocalDateTime.class).toInstant(ZoneOffset.UTC),
                    rows.getLong(4),
                    rows.getLong(5)));
        }
        return groups;
    }

    /** Whether these are all, and the names of labels. */
    static LabelNames labelNames(ResultSet row) throws SQLException {
        row.next();
        return new LabelNames(Set.of((String[]) row.getArray(2).getArray()), row.getBoolean(1));
    }

    private static Row row(ResultSet rows) throws SQLException {
        Address at = new Address(rows.getString(2), rows.getString(3), rows.getString(4));
        return Objects.requireNonNull(read(at, rows, 5));
    }

    /** The inserted row, with the values that the server added. */
    static Row inserted(Address at, Draft draft, long fence, Moment claimed) {
        Duration lease = Objects.requireNonNull(draft.lease(), "a first row has a lease");
        return new Row(
                at,
                draft.version(),
                new Fence(fence),
                draft.state(),
                claimed,
                claimed.plus(Parameters.whole(lease)),
                null,
                null,
                0,
                draft.document(),
                draft.body());
    }

    /** The new row after a replace. The server returns {@code fence, claimed, lease, settled, expires, replays}. */
    static Row replaced(Address at, Draft draft, ResultSet row) throws SQLException {
        return new Row(
                at,
                draft.version(),
                new Fence(row.getLong(1)),
                draft.state(),
                moment(row, 2),
                moment(row, 3),
                momentOrNull(row, 4),
                instantOrNull(row, 5),
                row.getLong(6),
                draft.document(),
                draft.body());
    }

    static Moment moment(ResultSet row, int column) throws SQLException {
        return Objects.requireNonNull(momentOrNull(row, column));
    }

    private static @Nullable Moment momentOrNull(ResultSet row, int column) throws SQLException {
        Instant instant = instantOrNull(row, column);
        return instant == null ? null : Moment.ofWall(instant);
    }

    private static @Nullable Instant instantOrNull(ResultSet row, int column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
