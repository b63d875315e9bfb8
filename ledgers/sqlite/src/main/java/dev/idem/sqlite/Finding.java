package dev.idem.sqlite;

import dev.idem.entry.Address;
import dev.idem.sql.EntryReader;
import dev.idem.sql.EntryRow;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Looks an entry up by its address. */
final class Finding {
    /** How the cells of an outer join begin when there is no entry. */
    private static final String ABSENT = "[null";

    private Finding() {}

    static @Nullable EntryRow byAddress(Session session, Address address) throws SQLException {
        PreparedStatement find = session.statement("find");
        bind(find, address);
        try (ResultSet row = find.executeQuery()) {
            return row.next() ? entry(row) : null;
        }
    }

    /** The entry of a row, or null where the row stands for none. */
    static @Nullable EntryRow entry(ResultSet row) throws SQLException {
        String cells = row.getString(1);
        return cells.startsWith(ABSENT) ? null : EntryReader.read(cells, row.getBytes(2));
    }

    static void bind(PreparedStatement statement, Address address) throws SQLException {
        statement.setString(1, address.key());
        statement.setString(2, address.operation());
        statement.setString(3, address.scope());
    }
}
