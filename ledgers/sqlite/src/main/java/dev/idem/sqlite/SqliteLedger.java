package dev.idem.sqlite;

import dev.idem.entry.Address;
import dev.idem.entry.Entry;
import dev.idem.entry.Fence;
import dev.idem.entry.Mark;
import dev.idem.entry.Moment;
import dev.idem.entry.Retention;
import dev.idem.entry.Settlement;
import dev.idem.entry.State;
import dev.idem.entry.Ticket;
import dev.idem.error.LedgerException;
import dev.idem.error.LedgerUnavailableException;
import dev.idem.ledger.Awaitable;
import dev.idem.ledger.Browsable;
import dev.idem.ledger.Claim;
import dev.idem.ledger.ClaimRequest;
import dev.idem.ledger.Clocks;
import dev.idem.ledger.GroupRenewing;
import dev.idem.ledger.Historied;
import dev.idem.ledger.Ledger;
import dev.idem.ledger.LedgerContext;
import dev.idem.ledger.Page;
import dev.idem.ledger.Query;
import dev.idem.ledger.Settled;
import dev.idem.ledger.StateMachine;
import dev.idem.ledger.Stats;
import dev.idem.ledger.Step;
import dev.idem.ledger.TrailLine;
import dev.idem.ledger.Transactional;
import dev.idem.ledger.Watches;
import dev.idem.sql.EntryRow;
import dev.idem.sql.Expectation;
import dev.idem.sql.ReplayCounts;
import dev.idem.sql.TrailChange;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Entries in a SQLite file, safe for many threads and many processes of one host. What was answered has been written
 * through to the disk.
 */
public final class SqliteLedger
        implements Ledger, Browsable, Awaitable, Historied, GroupRenewing, Transactional<Connection> {
    private static final int RENEW_BATCH = 256;
    private final SqliteOptions options;
    private final StateMachine rules;
    private final Clocks clocks;
    private final Browsing browsing;
    private final SqliteErrors errors;
    private final Readers readers;
    private final Writer writer;
    private final GroupCommit commits;
    private final Purge purge;
    private final Expectation expectation = new Expectation();
    private final ReplayCounts replays = new ReplayCounts();
    private final Watches watches = new Watches();
    private final ForeignChanges foreignChanges;
    private volatile boolean closed;

    private SqliteLedger(
            SqliteConnection.Driver driver, SqliteOptions options, DatabaseFile file, LedgerContext context) {
        this.options = options;
        this.rules = new StateMachine(context.processes());
        this.clocks = () -> inMicros(context.clocks().now());
        this.browsing = new Browsing(rules, replays);
        this.errors = new SqliteErrors(file.path(), options.busy());
        Opening opening = new Opening(driver, file, options, errors, context.readOnly());
        this.readers = new Readers(
                opening, errors, options.readers(), opening.first(clocks.now().wall()));
        this.writer = new Writer(opening, readers, errors, options, replays, watches::wake);
        this.commits = new GroupCommit(writer, options.busy(), errors);
        this.purge = new Purge(rules, clocks, readers, commits);
        this.foreignChanges = new ForeignChanges(opening, watches);
    }

    static SqliteLedger open(SqliteOptions options, LedgerContext context) {
        SqliteConnection.Driver driver =
                context.readOnly() ? SqliteConnection.Driver.looking() : SqliteConnection.Driver.real();
        return open(driver, options, context);
    }

    static SqliteLedger open(SqliteConnection.Driver driver, SqliteOptions options, LedgerContext context) {
        return new SqliteLedger(driver, options, DatabaseFile.locate(options.path()), context);
    }

    @Override
    public Claim claim(ClaimRequest request) {
        requireOpen();
        Claim unchanged = expectation.readFirst() ? claimWithoutWriting(request) : null;
        return counted(unchanged != null ? unchanged : commits.submit(new ClaimStep(rules, clocks, request)));
    }

    /** Most duplicates change nothing: they are answered by one read, beside whoever writes. Null: it takes a write. */
    private @Nullable Claim claimWithoutWriting(ClaimRequest request) {
        EntryRow found = read(request.address());
        if (found == null) {
            return null;
        }
        // The fence is never used: a step that wants one changes the entry, and is taken again under the lock.
        Step<Claim> step = rules.claim(
                found.entry(), request, clocks.now(), () -> found.entry().fence());
        Claim answer = step.answer();
        // Since it was read, whoever held it may have settled and ended: only under the lock is a dead owner a proof.
        boolean unsure = answer instanceof Claim.InDoubt && found.entry().state() == State.IN_PROGRESS;
        return step.changes() || unsure ? null : answer;
    }

    private Claim counted(Claim claim) {
        expectation.saw(claim);
        if (claim instanceof Claim.Replay replay
                && replays.add(replay.entry().fence().number())) {
            writeReplaysOrNot();
        }
        return claim;
    }

    @Override
    public boolean renew(Ticket ticket, Duration lease) {
        requireOpen();
        return commits.submit(transaction -> renew(transaction, ticket, lease));
    }

    private boolean renew(WriteTransaction transaction, Ticket ticket, Duration lease) throws SQLException {
        EntryRow found = transaction.find(ticket.address());
        Step<Boolean> step = rules.renew(entry(found), ticket, lease, clocks.now());
        return transaction.take(found, step, (row, after) -> TrailChange.none(row));
    }

    @Override
    public Unrenewed renewAll(Map<Ticket, Duration> leases) {
        requireOpen();
        Set<Ticket> lost = new HashSet<>();
        List<Ticket> tickets = List.copyOf(leases.keySet());
        for (int from = 0; from < tickets.size(); from += RENEW_BATCH) {
            List<Ticket> batch = tickets.subList(from, Math.min(tickets.size(), from + RENEW_BATCH));
            lost.addAll(commits.submit(transaction -> renewAll(transaction, batch, leases)));
        }
        return Unrenewed.lost(lost);
    }

    private Set<Ticket> renewAll(WriteTransaction transaction, List<Ticket> batch, Map<Ticket, Duration> leases)
            throws SQLException {
        Set<Ticket> lost = new HashSet<>();
        for (Ticket ticket : batch) {
            if (!renew(transaction, ticket, leases.getOrDefault(ticket, Duration.ZERO))) {
                lost.add(ticket);
            }
        }
        return lost;
    }

    @Override
    public boolean mark(Ticket ticket, Mark mark) {
        requireOpen();
        return commits.submit(transaction -> {
            EntryRow found = transaction.find(ticket.address());
            Step<Boolean> step = rules.mark(entry(found), ticket, mark);
            Instant now = clocks.now().wall();
            return transaction.take(found, step, (row, after) -> TrailChange.marked(row, mark, now));
        });
    }

    @Override
    public Settled settle(Ticket ticket, Settlement how) {
        requireOpen();
        return commits.submit(settling(ticket, how));
    }

    private SettleStep settling(Ticket ticket, Settlement how) {
        return new SettleStep(rules, clocks, ticket, how);
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
    public Transaction<Connection> begin(@Nullable Connection connection) {
        requireOpen();
        if (connection != null) {
            throw new IllegalArgumentException("entries of a SQLite ledger are settled through its own connection: use "
                    + "inTransaction(Connection.class), and keep the rows in the file of the ledger");
        }
        return new SqliteTransaction(
                commits,
                writer,
                errors,
                (transaction, ticket, how) -> settling(ticket, how).run(transaction));
    }

    @Override
    public Optional<Entry> find(Address address) {
        requireOpen();
        EntryRow found = read(address);
        return found == null ? Optional.empty() : Optional.ofNullable(browsing.view(found.entry(), clocks.now()));
    }

    @Override
    public boolean resolve(Address address, Fence seen, Settlement how) {
        requireOpen();
        return commits.submit(transaction -> {
            EntryRow found = transaction.find(address);
            Moment now = clocks.now();
            Step<Boolean> step = rules.resolve(entry(found), seen, how, now, transaction.fences());
            return transaction.take(found, step, (row, after) -> {
                Entry doubted = rules.view(row.entry(), now);
                return TrailChange.resolved(row, doubted == null ? null : doubted.doubt(), now.wall());
            });
        });
    }

    @Override
    public boolean forget(Entry seen) {
        requireOpen();
        return commits.submit(transaction -> {
            EntryRow found = transaction.find(seen.address());
            Moment now = clocks.now();
            Step<Boolean> step = rules.forget(entry(found), seen, now);
            if (step.remove() && found != null) {
                Instant keepTrailUntil = now.wall().plus(Retention.DEFAULT.keep());
                transaction.forget(found, TrailChange.forgotten(found, now.wall()), keepTrailUntil);
            }
            return step.answer();
        });
    }

    @Override
    public Watch watch(Address address, Runnable wake) {
        requireOpen();
        Watch watch = watches.add(address, wake);
        foreignChanges.lookOut();
        return watch;
    }

    @Override
    public List<TrailLine> trail(Address address) {
        requireOpen();
        return readers.read(sqlite -> TrailTable.read(sqlite, address));
    }

    @Override
    public Page browse(Query query) {
        requireOpen();
        return readers.read(sqlite -> browsing.page(sqlite, query, clocks.now()));
    }

    @Override
    public int purge(int limit) {
        requireOpen();
        return purge.upTo(limit);
    }

    @Override
    public OptionalLong purgeable() {
        requireOpen();
        return OptionalLong.of(readers.read(sqlite -> Browsing.due(sqlite, clocks.now())));
    }

    @Override
    public Stats stats() {
        requireOpen();
        return readers.read(sqlite -> browsing.stats(sqlite, clocks.now()));
    }

    @Override
    public String describe() {
        return "sqlite:" + options.path() + " (trail " + (options.trail() ? "on" : "off") + ", waits "
                + options.busy().toMillis() + " ms for other processes)";
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        foreignChanges.close();
        try {
            writeReplaysOrNot();
        } finally {
            commits.exclusively(writer::close);
            readers.close();
        }
    }

    /** How many transactions have changed something. */
    long commitCount() {
        return writer.commits();
    }

    /** How many steps wait to be taken into a batch. */
    int waitingWriters() {
        return commits.waiting();
    }

    /** Writes what waits now, a portion with each commit; what comes meanwhile may wait for the next time. */
    private void writeReplays() {
        for (long left = replays.entries(); left > 0 && !replays.isEmpty(); left -= ReplayCounts.MOST_AT_ONCE) {
            commits.submit(WriteTransaction::writeReplays);
        }
    }

    /** Writes counts down if that can be done. They are worth no failure: the answers that they count were right. */
    private void writeReplaysOrNot() {
        try {
            writeReplays();
        } catch (LedgerException e) {
            // They would be too many in the end, and each further replay would try again.
            for (long left = replays.entries(); left > 0; left -= ReplayCounts.MOST_AT_ONCE) {
                replays.take();
            }
            Log.warn(
                    "ledger sqlite:" + options.path() + " could not write down how often it has answered; some replays"
                            + " stay uncounted",
                    e);
        }
    }

    private @Nullable EntryRow read(Address address) {
        return readers.read(sqlite -> Optional.ofNullable(Finding.byAddress(sqlite, address)))
                .orElse(null);
    }

    static @Nullable Entry entry(@Nullable EntryRow row) {
        return row == null ? null : row.entry();
    }

    /** Microseconds are what the file keeps; what is answered and what is read later must be the same. */
    private static Moment inMicros(Moment moment) {
        return new Moment(moment.wall().truncatedTo(ChronoUnit.MICROS), moment.boot(), moment.nanos());
    }

    private void requireOpen() {
        if (closed) {
            throw new LedgerUnavailableException("ledger sqlite:" + options.path() + " is closed", null);
        }
    }
}
