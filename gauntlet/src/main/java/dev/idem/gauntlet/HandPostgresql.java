package dev.idem.gauntlet;

import com.zaxxer.hikari.HikariDataSource;
import dev.idem.Idem;
import dev.idem.lab.PostgresqlByHand;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;

/** A floor for times only: Idem's own two statements, sent through a pool by hand. It does not wait for duplicates. */
final class HandPostgresql implements Contender {
    private final HikariDataSource pool;
    private final PostgresqlByHand statements;

    HandPostgresql(int port, Path folder) throws SQLException {
        String schema = Postgresql.schema(folder);
        // Makes the tables and functions.
        Idem.builder()
                .ledger("postgresql://postgres@127.0.0.1:" + port + "/postgres?schema=" + schema)
                .quiet()
                .open()
                .close();
        pool = Postgresql.pool(port, schema);
        statements = new PostgresqlByHand(schema);
    }

    @Override
    public String name() {
        return "by hand";
    }

    @Override
    public String store() {
        return "PostgreSQL";
    }

    @Override
    public String configuration() {
        return "Idem's own claim and settle, sent by the bare driver; 8 connections";
    }

    @Override
    public Set<Offer> offers() {
        return Set.of(Offer.REPLAY, Offer.DURABLE);
    }

    @Override
    public Answer call(String operation, String key, Map<String, Object> payload, Work work) {
        try {
            PostgresqlByHand.Claimed claimed;
            try (Connection connection = pool.getConnection()) {
                claimed = statements.claim(connection, operation, key);
            }
            if (claimed.version() == null) {
                return claimed.result() == null
                        ? new Answer.Refused(new IllegalStateException("in progress"))
                        : new Answer.Value(new String(claimed.result(), StandardCharsets.UTF_8));
            }
            String value = work.run();
            try (Connection connection = pool.getConnection()) {
                byte[] result = String.valueOf(value).getBytes(StandardCharsets.UTF_8);
                statements.settle(connection, operation, key, claimed, result);
            }
            return new Answer.Value(value);
        } catch (SQLException e) {
            return new Answer.Refused(e);
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
