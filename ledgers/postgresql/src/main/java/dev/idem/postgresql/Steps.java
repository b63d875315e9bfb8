package dev.idem.postgresql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Runs statements: each on any connection in autocommit mode, or all on the connection of one transaction. */
interface Steps {
    /** Work on a connection. */
    @FunctionalInterface
    interface Work<A> {
        A with(Connection connection) throws SQLException;
    }

    /** Sets the parameters of a statement. */
    @FunctionalInterface
    interface Binding {
        void bind(Parameters parameters) throws SQLException;
    }

    /** Reads the result of a statement. */
    @FunctionalInterface
    interface Reading<A> {
        A read(ResultSet rows) throws SQLException;
    }

    /** Throws a {@link dev.idem.LedgerException} if the server gives no answer or refuses. */
    <A> A run(Work<A> work);

    /** Runs a query in one round trip. */
    default <A> A ask(String sql, Binding binding, Reading<A> reading) {
        return run(connection -> ask(connection, sql, binding, reading));
    }

    static <A> A ask(Connection connection, String sql, Binding binding, Reading<A> reading) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            binding.bind(new Parameters(statement));
            try (ResultSet rows = statement.executeQuery()) {
                return reading.read(rows);
            }
        }
    }

    /** Runs an update in one round trip and returns the number of rows. */
    default int change(String sql, Binding binding) {
        return run(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                binding.bind(new Parameters(statement));
                return statement.executeUpdate();
            }
        });
    }
}
