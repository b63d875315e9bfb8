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
    private Finding() {}

    static @Nullable EntryRow byAddress(Session session, Address address) throws SQLException {
        PreparedStatement find = session.statement("find");
        bind(find, address);
        try (ResultSet row = find.executeQuery()) {
            return row.next() ? EntryReader.read(row) : null;
        }
    }

    static void bind(PreparedStatement statement, Address address) throws SQLException {
        statement.setString(1, address.key());
        statement.setString(2, address.operation());
        statement.setString(3, address.scope());
    }
}
