package dev.idem.sqlite;

import dev.idem.entry.Address;
import dev.idem.sql.EntryRow;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks an entry up by its address. */
final class Finding {
    private Finding() {}

    static @Nullable EntryRow byAddress(SqliteConnection sqlite, Address address) throws SQLException {
        PreparedStatement find = sqlite.statement("find");
        bind(find, address);
        try (ResultSet row = find.executeQuery()) {
            return row.next() ? RowReader.read(row) : null;
        }
    }

    /** Spans that are not yet known to hold nothing in progress or in doubt. */
    static List<Long> endedSpans(SqliteConnection sqlite, int limit) throws SQLException {
        List<Long> ended = new ArrayList<>();
        PreparedStatement select = sqlite.statement("ended-spans");
        select.setInt(1, limit);
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                ended.add(rows.getLong(1));
            }
        }
        return ended;
    }

    static void bind(PreparedStatement statement, Address address) throws SQLException {
        statement.setString(1, address.key());
        statement.setString(2, address.operation());
        statement.setString(3, address.scope());
    }
}
