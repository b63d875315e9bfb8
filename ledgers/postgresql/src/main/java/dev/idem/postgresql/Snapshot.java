package dev.idem.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Function;

/** Statements on one connection, which see the rows of one moment. A failure is not repeated: a part may have been read. */
record Snapshot(Connection connection, PostgresqlErrors errors) implements Steps {
    /** Reads by a store of a snapshot; in a transaction of a caller, by one of that transaction. */
    static <A> A read(Server server, Connection connection, Function<PostgresqlStore, A> reading) {
        Snapshot snapshot = new Snapshot(connection, server.errors());
        PostgresqlStore store = new PostgresqlStore(server, snapshot);
        return snapshot.run(here -> {
            if (!here.getAutoCommit()) {
                return reading.apply(store);
            }
            here.setAutoCommit(false);
            try (Statement begin = here.createStatement()) {
                begin.execute(server.statements().get("one-moment"));
                return reading.apply(store);
            } finally {
                here.rollback();
                here.setAutoCommit(true);
            }
        });
    }

    @Override
    public <A> A run(Work<A> work) {
        try {
            return work.with(connection);
        } catch (SQLException e) {
            throw errors.of(e);
        }
    }
}
