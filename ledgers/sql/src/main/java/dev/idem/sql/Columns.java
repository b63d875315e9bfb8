package dev.idem.sql;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Numbers that may be absent. */
final class Columns {
    private Columns() {}

    static void set(PreparedStatement statement, int at, @Nullable Long value) throws SQLException {
        if (value == null) {
            statement.setNull(at, Types.BIGINT);
        } else {
            statement.setLong(at, value);
        }
    }

    static void set(PreparedStatement statement, int at, @Nullable Instant value) throws SQLException {
        set(statement, at, value == null ? null : (Long) Micros.of(value));
    }
}
