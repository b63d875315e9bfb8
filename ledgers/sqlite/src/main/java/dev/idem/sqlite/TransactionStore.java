package dev.idem.sqlite;

import dev.idem.Address;
import dev.idem.spi.EntryStore;
import dev.idem.spi.Moment;
import dev.idem.spi.Ticket;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The store inside one open transaction, which somebody else ends. */
final class TransactionStore implements EntryStore {
    private final SqliteStore outside;
    private final SqliteConnection sqlite;
    private final SqliteErrors errors;
    private final List<Address> written = new ArrayList<>(1);

    TransactionStore(SqliteStore outside, SqliteConnection sqlite, SqliteErrors errors) {
        this.outside = outside;
        this.sqlite = sqlite;
        this.errors = errors;
    }

    /** A step of the transaction. */
    @FunctionalInterface
    private interface Step<A> {
        A in(EntryTable table) throws SQLException;
    }

    /** The addresses that were written. */
    List<Address> written() {
        return written;
    }

    @Override
    public Found read(Address at) {
        Moment now = outside.now();
        return run(table -> new Found(table.read(at), false, now));
    }

    @Override
    public Found insert(Address at, Draft first) {
        Moment now = outside.now();
        written.add(at);
        // The write comes first: after a read, the write would fail if another connection had written in between.
        Optional<Row> inserted = run(table -> table.insert(at, first));
        return inserted.isEmpty() ? read(at) : new Found(inserted.get(), true, now);
    }

    @Override
    public Swap replace(Row seen, Draft next, Guard guard) {
        written.add(seen.at());
        return run(table -> next.newFence()
                ? withTriggers(() -> table.replace(seen, next, guard))
                : table.replace(seen, next, guard));
    }

    /** A new fence is a new row, and the index of labels follows it by triggers that SQLite leaves out by default. */
    private Swap withTriggers(SqlCall<Swap> call) throws SQLException {
        Connection connection = sqlite.connection();
        boolean on;
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA recursive_triggers")) {
            on = row.next() && row.getBoolean(1);
        }
        if (on) {
            return call.run();
        }
        sqlite.execute("PRAGMA recursive_triggers = ON");
        try {
            return call.run();
        } finally {
            sqlite.execute("PRAGMA recursive_triggers = OFF");
        }
    }

    @FunctionalInterface
    private interface SqlCall<A> {
        A run() throws SQLException;
    }

    @Override
    public Renewed renew(Map<Ticket, Duration> leases) {
        return run(table -> {
            Set<Ticket> lost = new HashSet<>();
            for (Map.Entry<Ticket, Duration> lease : leases.entrySet()) {
                if (!table.renew(lease.getKey(), lease.getValue())) {
                    lost.add(lease.getKey());
                }
            }
            return new Renewed(lost, Set.of());
        });
    }

    private <A> A run(Step<A> step) {
        try {
            return step.in(outside.table(sqlite));
        } catch (SQLException e) {
            throw errors.of(e);
        }
    }

    @Override
    public String describe() {
        return outside.describe();
    }

    /** Closes the prepared statements. The connection belongs to somebody else. */
    @Override
    public void close() {
        try {
            sqlite.closeStatements();
        } catch (SQLException e) {
            throw errors.of(e);
        }
    }
}
