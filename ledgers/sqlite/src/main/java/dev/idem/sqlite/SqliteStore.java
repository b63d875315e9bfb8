package dev.idem.sqlite;

import dev.idem.Address;
import dev.idem.State;
import dev.idem.spi.Awaitable;
import dev.idem.spi.Clocks;
import dev.idem.spi.EntryStore;
import dev.idem.spi.Joining;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Moment;
import dev.idem.spi.ReplayCounting;
import dev.idem.spi.Ticket;
import dev.idem.spi.Watches;
import dev.idem.spi.browse.Counts;
import dev.idem.spi.browse.Figures;
import dev.idem.spi.browse.LabelNames;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.Searchable;
import dev.idem.spi.browse.TryCounting;
import dev.idem.spi.browse.Walkable;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Rows in a SQLite file, safe for many threads and processes of one host. A write is answered when it is on the disk.
 *
 * <p>Reads take no lock. A write is one statement that commits by itself, so the write lock is held only while SQLite
 * works. Writes of waiting threads share a transaction.
 */
final class SqliteStore implements EntryStore, Searchable, ReplayCounting, TryCounting, Awaitable, Joining<Connection> {
    private static final int RENEWED_TOGETHER = 256;

    private final Path file;
    private final SqliteOptions options;
    private final Clocks clocks;
    private final SqliteErrors errors;
    private final Readers readers;
    private final Writer writer;
    private final GroupCommit commits;
    private final Watches watches = new Watches();
    private final ForeignChanges foreignChanges;

    SqliteStore(SqliteConnection.Driver driver, SqliteOptions options, LedgerContext context) {
        DatabaseFile file = DatabaseFile.locate(options.path());
        this.file = file.path();
        this.options = options;
        this.clocks = context.clocks();
        this.errors = new SqliteErrors(file.path(), options.busy());
        Opening opening = new Opening(driver, file, options, errors, context.readOnly());
        SqliteConnection first = opening.first(clocks.now().wall());
        this.readers = new Readers(opening, errors, options.readers(), first);
        this.writer = new Writer(opening, readers, errors, options, watches::wake);
        this.commits = new GroupCommit(writer, options.busy(), errors);
        this.foreignChanges = new ForeignChanges(opening, watches);
    }

    static SqliteStore open(SqliteOptions options, LedgerContext context) {
        SqliteConnection.Driver driver =
                context.readOnly() ? SqliteConnection.Driver.looking() : SqliteConnection.Driver.real();
        return new SqliteStore(driver, options, context);
    }

    @Override
    public Found insert(Address at, Draft first) {
        // This read answers most duplicates and waits for no writer.
        Found found = read(at);
        if (found.row() != null) {
            return found;
        }
        Optional<Row> inserted =
                commits.submit(Request.single(at, sqlite -> table(sqlite).insert(at, first)));
        return inserted.isEmpty() ? read(at) : new Found(inserted.get(), true, found.now());
    }

    @Override
    public Found read(Address at) {
        Moment now = clocks.now();
        return readers.read(sqlite -> new Found(table(sqlite).read(at), false, now));
    }

    @Override
    public Swap replace(Row seen, Draft next, Guard guard) {
        return commits.submit(Request.single(seen.at(), sqlite -> table(sqlite).replace(seen, next, guard)));
    }

    @Override
    public Renewed renew(Map<Ticket, Duration> leases) {
        Set<Ticket> lost = new HashSet<>();
        List<Map.Entry<Ticket, Duration>> all = List.copyOf(leases.entrySet());
        for (int from = 0; from < all.size(); from += RENEWED_TOGETHER) {
            lost.addAll(renew(all.subList(from, Math.min(all.size(), from + RENEWED_TOGETHER))));
        }
        return new Renewed(lost, Set.of());
    }

    /** Renews the leases and returns the tickets that are no longer current. */
    private Set<Ticket> renew(List<Map.Entry<Ticket, Duration>> leases) {
        Request.Work<Set<Ticket>> work = sqlite -> {
            Set<Ticket> lost = new HashSet<>();
            for (Map.Entry<Ticket, Duration> lease : leases) {
                if (!table(sqlite).renew(lease.getKey(), lease.getValue())) {
                    lost.add(lease.getKey());
                }
            }
            return lost;
        };
        return commits.submit(leases.size() == 1 ? Request.single(null, work) : Request.several(work));
    }

    @Override
    public void countReplays(Map<Ticket, Long> more) {
        countReplays(more, List.of());
    }

    @Override
    public void countReplays(Map<Ticket, Long> more, List<Hourly> hours) {
        Instant now = clocks.now().wall();
        commits.submit(Request.several(sqlite -> {
            new HoursTable(sqlite).add(hours, now);
            EntryTable table = table(sqlite);
            for (Map.Entry<Ticket, Long> count : more.entrySet()) {
                table.countReplays(count.getKey(), count.getValue());
            }
            return true;
        }));
    }

    @Override
    public Rows scan(Query query, Set<State> stored, long from, int limit) {
        Moment now = clocks.now();
        return readers.read(sqlite -> {
            QuerySql scan = new QuerySql(sqlite, query, stored, from, now.wall());
            try (PreparedStatement select = sqlite.prepare(scan.sql("scan"))) {
                scan.bind(select, limit);
                return new Rows(EntryTable.rows(select), now);
            }
        });
    }

    @Override
    public Walkable.Batch due(@Nullable String place, int limit) {
        Moment now = clocks.now();
        return readers.read(sqlite -> table(sqlite).due(now, place, limit));
    }

    @Override
    public long countDue() {
        Moment now = clocks.now();
        return readers.read(sqlite -> table(sqlite).countDue(now.wall()));
    }

    @Override
    public int delete(List<Row> seen) {
        return commits.submit(Request.several(sqlite -> {
            int deleted = 0;
            for (Row row : seen) {
                deleted += table(sqlite).delete(row);
            }
            return deleted;
        }));
    }

    @Override
    public Map<State, Long> counts() {
        return readers.read(sqlite -> {
            Map<State, Long> counts = new EnumMap<>(State.class);
            try (ResultSet rows = sqlite.statement("count-states").executeQuery()) {
                while (rows.next()) {
                    counts.put(State.ofWord(rows.getString(1)), rows.getLong(2));
                }
            }
            return counts;
        });
    }

    @Override
    public Optional<List<Counts.Group>> counts(Query query, Set<State> stored, long from) {
        Instant now = clocks.now().wall();
        return readers.read(sqlite -> {
            QuerySql matching = new QuerySql(sqlite, query, stored, from, now);
            try (PreparedStatement count = sqlite.prepare(matching.sql("count-groups"))) {
                matching.bind(count, SortableTime.of(now));
                return Optional.of(EntryTable.groups(count));
            }
        });
    }

    @Override
    public int deleteTold(List<Told> seen) {
        Instant now = clocks.now().wall();
        return commits.submit(Request.several(sqlite -> {
            int deleted = 0;
            for (Told each : seen) {
                if (table(sqlite).delete(each.row()) > 0) {
                    new HoursTable(sqlite).add(each.tries(), now);
                    deleted++;
                }
            }
            return deleted;
        }));
    }

    @Override
    public Optional<Figures> figures(Query query, Instant since, long behind, Consumer<Rows> others) {
        Moment now = clocks.now();
        return readers.read(sqlite -> {
            // Until its end, the connection sees the file as it is now. After an error it is closed.
            sqlite.run("begin-reading");
            HoursTable hours = new HoursTable(sqlite);
            Optional<Figures> figures = hours.figures(query, since, behind, now.wall());
            if (figures.isPresent()) {
                hours.others(query, since, behind, now, others);
            }
            sqlite.run("commit");
            return figures;
        });
    }

    @Override
    public Optional<LabelNames> labelNames() {
        return readers.read(sqlite -> {
            Set<String> names = new HashSet<>();
            try (ResultSet rows = sqlite.statement("label-names").executeQuery()) {
                while (rows.next()) {
                    names.add(rows.getString(1));
                }
            }
            return Optional.of(new LabelNames(names, true));
        });
    }

    @Override
    public long replays() {
        return readers.read(sqlite -> EntryTable.number(sqlite.statement("sum-replays")));
    }

    @Override
    public Watch watch(Address address, Runnable wake) {
        Watch watch = watches.add(address, wake);
        foreignChanges.lookOut();
        return watch;
    }

    @Override
    public Class<Connection> connectionType() {
        return Connection.class;
    }

    @Override
    public boolean exclusive() {
        return true;
    }

    @Override
    public Joined<Connection> join(@Nullable Connection connection) {
        if (connection != null) {
            throw new IllegalArgumentException("entries of a SQLite ledger are settled through its own connection: use "
                    + "inTransaction(Connection.class), and keep the rows in the file of the ledger");
        }
        return new JoinedTransaction(this, commits, writer, errors);
    }

    @Override
    public EntryStore within(Connection connection, Duration wait) {
        try {
            new CallersTransaction(connection, file).requireFit();
        } catch (SQLException e) {
            throw errors.of(e);
        }
        return new TransactionStore(this, SqliteConnection.ofCaller(connection), errors);
    }

    @Override
    public boolean isBlockedBy(Connection connection) {
        try {
            return new CallersTransaction(connection, file).blocksLedger();
        } catch (SQLException e) {
            throw errors.of(e);
        }
    }

    /** The table through a connection. */
    EntryTable table(SqliteConnection sqlite) {
        return new EntryTable(sqlite, clocks);
    }

    Moment now() {
        return clocks.now();
    }

    /** The number of times the write lock was taken. */
    long commitCount() {
        return writer.commits();
    }

    /** The number of queued requests. */
    int waitingWriters() {
        return commits.waiting();
    }

    @Override
    public String describe() {
        return "sqlite:" + options.path() + " (waits " + options.busy().toMillis() + " ms for other processes)";
    }

    @Override
    public void close() {
        foreignChanges.close();
        commits.exclusively(writer::close);
        readers.close();
    }
}
