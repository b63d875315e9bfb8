package dev.idem.torture.driver;

import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.spi.Transactional;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The table that actions write in one transaction with their entries, if the ledger has such transactions. */
final class Rows {
    private Rows() {}

    /** Creates the table. */
    static void make(String url) {
        try (Ledger ledger = Ledgers.open(url)) {
            inside(ledger, statement -> {
                statement.executeUpdate("CREATE TABLE torture_row (address TEXT, fence BIGINT, token TEXT)");
                return 0;
            });
        }
    }

    /** The tokens in the table, by address. */
    static Map<String, List<String>> in(Ledger ledger) {
        Map<String, List<String>> rows = new TreeMap<>();
        inside(ledger, statement -> {
            try (ResultSet row = statement.executeQuery("SELECT address, token FROM torture_row ORDER BY fence")) {
                while (row.next()) {
                    rows.computeIfAbsent(row.getString(1), address -> new ArrayList<>())
                            .add(row.getString(2));
                }
            }
            return rows.size();
        });
        return rows;
    }

    private interface Step {
        int run(Statement statement) throws SQLException;
    }

    private static void inside(Ledger ledger, Step step) {
        Transactional<?> found = ledger.as(Transactional.class).orElse(null);
        if (found == null) {
            return;
        }
        try (Transactional.Transaction<?> transaction = found.begin(null)) {
            try (Statement statement = ((Connection) transaction.connection()).createStatement()) {
                step.run(statement);
            }
            transaction.commit();
        } catch (SQLException e) {
            throw new IllegalStateException("the table of rows can't be used", e);
        }
    }
}
