package dev.idem.postgresql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Runs statements: each on any connection and committed by itself, or all on the connection of one transaction. */
interface Steps {
    /** Something done with a connection. */
    @FunctionalInterface
    interface Work<A> {
        A with(Connection connection) throws SQLException;
    }

    /** Sets the parameters of a statement. */
    @FunctionalInterface
    interface Binding {
        void bind(Parameters parameters) throws SQLException;
    }

    /** Reads what a statement has answered. */
    @FunctionalInterface
    interface Reading<A> {
        A read(ResultSet rows) throws SQLException;
    }

    /** Throws a {@link dev.idem.LedgerException} where the server has no answer or refuses. */
    <A> A run(Work<A> work);

    /** Asks in one round trip. */
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

    /** Changes something in one round trip and says how many rows. */
    default int change(String sql, Binding binding) {
        return run(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                binding.bind(new Parameters(statement));
                return statement.executeUpdate();
            }
        });
    }
}
