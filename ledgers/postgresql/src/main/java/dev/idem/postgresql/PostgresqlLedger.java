package dev.idem.postgresql;

import dev.idem.entry.Address;
import dev.idem.entry.Entry;
import dev.idem.entry.Fence;
import dev.idem.entry.Mark;
import dev.idem.entry.Result;
import dev.idem.entry.Settlement;
import dev.idem.entry.Ticket;
import dev.idem.error.LedgerException;
import dev.idem.error.LedgerUnavailableException;
import dev.idem.ledger.Awaitable;
import dev.idem.ledger.Browsable;
import dev.idem.ledger.Claim;
import dev.idem.ledger.ClaimRequest;
import dev.idem.ledger.GroupRenewing;
import dev.idem.ledger.Historied;
import dev.idem.ledger.Host;
import dev.idem.ledger.Ledger;
import dev.idem.ledger.LedgerContext;
import dev.idem.ledger.Page;
import dev.idem.ledger.Processes;
import dev.idem.ledger.Query;
import dev.idem.ledger.Settled;
import dev.idem.ledger.StateMachine;
import dev.idem.ledger.Stats;
import dev.idem.ledger.Step;
import dev.idem.ledger.TrailLine;
import dev.idem.ledger.Transactional;
import dev.idem.ledger.Watches;
import dev.idem.sql.Expectation;
import dev.idem.sql.ReplayCounts;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Entries in a PostgreSQL database, for any number of processes on any number of hosts. The server decides, by its own
 * clock; what it can't know, which processes of this host live, it is told.
 */
public final class PostgresqlLedger
        implements Ledger, Browsable, Awaitable, Historied, GroupRenewing, Transactional<Connection> {
    private static final int MOST_ASKS = 20;

    private final String where;
    private final PostgresqlSettings settings;
    private final PostgresqlErrors errors;
    private final Database database;
    private final Processes processes;
    private final StateMachine rules;
    private final Statements statements;
    private final Steps steps;
    private final Claims claims;
    private final Renewals renewals;
    private final Browsing browsing;
    private final ReplayWriting replays;
    private final Purge purge;
    private final GrantedEntries granted = new GrantedEntries();
    private final Watches watches = new Watches();
    private final Listener listener;
    private volatile boolean closed;

    private PostgresqlLedger(
            String where,
            PostgresqlSettings settings,
            PostgresqlErrors errors,
            Database database,
            LedgerContext context,
            Expectation expectation) {
        this.where = where;
        this.settings = settings;
        this.errors = errors;
        this.database = database;
        this.processes = context.processes();
        this.rules = new StateMachine(processes);
        this.statements = new Statements(settings.schema());
        this.steps = new Steps(database, statements, settings.lockTimeout());
        this.claims = new Claims(steps, rules, processes, expectation);
        this.renewals = new Renewals(steps, settings.lockTimeout(), this::describe);
        ReplayCounts counts = new ReplayCounts();
        this.replays = new ReplayWriting(database, statements, counts);
        Sweep sweep = new Sweep(database, statements, context.readOnly());
        this.browsing = new Browsing(database, statements, rules, counts, sweep);
        this.purge = new Purge(database, statements, sweep);
        this.listener = new Listener(database, statements, settings.schema(), watches);
        Opening opening = new Opening(database, statements, settings, errors);
        if (context.readOnly()) {
            opening.look();
        } else {
            opening.open();
        }
    }

    static PostgresqlLedger open(PostgresqlUrl url, LedgerContext context) {
        PostgresqlErrors errors =
                new PostgresqlErrors(url.where(), url.settings().schema());
        Database database = Database.pooled(url, errors);
        return open(url.where(), url.settings(), errors, database, context, new Expectation());
    }

    /**
     * Opens a ledger on connections of the caller, which stay open when it is closed.
     *
     * @throws LedgerException when it can't be opened; the message says what to do
     */
    public static PostgresqlLedger open(DataSource connections, PostgresqlSettings settings) {
        return open(connections, settings, LedgerContext.ofHost(Host.system()));
    }

    /**
     * The same, with processes that are given from outside.
     *
     * @throws LedgerException when it can't be opened; the message says what to do
     */
    public static PostgresqlLedger open(DataSource connections, PostgresqlSettings settings, LedgerContext context) {
        return open(connections, settings, context, new Expectation());
    }

    static PostgresqlLedger open(
            DataSource connections, PostgresqlSettings settings, LedgerContext context, Expectation expectation) {
        String where = "postgresql: (the given data source)";
        PostgresqlErrors errors = new PostgresqlErrors(where, settings.schema());
        return open(where, settings, errors, Database.of(connections, errors), context, expectation);
    }

    private static PostgresqlLedger open(
            String where,
            PostgresqlSettings settings,
            PostgresqlErrors errors,
            Database database,
            LedgerContext context,
            Expectation expectation) {
        try {
            return new PostgresqlLedger(where, settings, errors, database, context, expectation);
        } catch (RuntimeException e) {
            database.close();
            throw e;
        }
    }

    @Override
    public <C> Optional<C> as(Class<C> capability) {
        return capability == Awaitable.class && !settings.notifies() ? Optional.empty() : Ledger.super.as(capability);
    }

    @Override
    public Claim claim(ClaimRequest request) {
        requireOpen();
        Claim claim = claims.claim(request, () -> keepsChanging(request.address()));
        if (claim instanceof Claim.Granted) {
            granted.add(claim.entry());
            watches.wake(request.address());
        }
        return replays.counted(claim);
    }

    @Override
    public boolean renew(Ticket ticket, Duration lease) {
        requireOpen();
        granted.remove(ticket);
        return renewals.one(ticket, lease);
    }

    @Override
    public Unrenewed renewAll(Map<Ticket, Duration> leases) {
        requireOpen();
        leases.keySet().forEach(granted::remove);
        return renewals.all(leases);
    }

    @Override
    public boolean mark(Ticket ticket, Mark mark) {
        requireOpen();
        granted.remove(ticket);
        return steps.mark(ticket, mark);
    }

    @Override
    public Settled settle(Ticket ticket, Settlement how) {
        requireOpen();
        Settled settled = database.run(connection -> settle(connection, ticket, how));
        watches.wake(ticket.address());
        return settled;
    }

    private Settled settled(Answer answer, Ticket ticket, Settlement how) {
        if (answer.changed()) {
            return new Settled.Recorded(answer.found());
        }
        Step<Settled> step = rules.settle(answer.entry(), ticket, how, answer.now());
        if (step.changes()) {
            throw keepsChanging(ticket.address());
        }
        return step.answer();
    }

    @Override
    public Class<Connection> connectionType() {
        return Connection.class;
    }

    @Override
    public boolean exclusive() {
        return false;
    }

    @Override
    public Transaction<Connection> begin(@Nullable Connection connection) {
        requireOpen();
        return connection == null
                ? PostgresqlTransaction.onOwn(database.lend(), statements, errors, this::settle, watches::wake)
                : PostgresqlTransaction.onCallers(connection, statements, errors, this::settle, watches::wake);
    }

    /** A completion that is not recorded at once is asked about: it comes late, or again. */
    private Settled settle(Connection connection, Ticket ticket, Settlement how) throws SQLException {
        Entry known = granted.remove(ticket);
        if (known != null
                && how instanceof Settlement.Completed completed
                && completed.result() instanceof Result.Stored) {
            Answer answer = steps.complete(connection, known, completed, rules);
            if (answer != null) {
                return settled(answer, ticket, how);
            }
        }
        return settled(steps.settle(connection, ticket, how), ticket, how);
    }

    @Override
    public Optional<Entry> find(Address address) {
        requireOpen();
        return browsing.find(address);
    }

    @Override
    public boolean resolve(Address address, Fence seen, Settlement how) {
        requireOpen();
        return judged(
                address,
                judgement -> steps.resolve(address, seen, how, judgement),
                answer -> rules.resolve(answer.entry(), seen, how, answer.now(), () -> seen));
    }

    @Override
    public boolean forget(Entry seen) {
        requireOpen();
        return judged(
                seen.address(),
                judgement -> steps.forget(seen, judgement),
                answer -> rules.forget(answer.entry(), seen, answer.now()));
    }

    private boolean judged(
            Address address, Function<@Nullable Judgement, Answer> ask, Function<Answer, Step<Boolean>> rule) {
        Judgement judgement = null;
        for (int asked = 0; asked < MOST_ASKS; asked++) {
            Answer answer = ask.apply(judgement);
            if (answer.changed()) {
                watches.wake(address);
                return true;
            }
            Step<Boolean> step = rule.apply(answer);
            if (!step.changes()) {
                return step.answer();
            }
            judgement = Judgement.of(answer.found(), processes);
        }
        throw keepsChanging(address);
    }

    @Override
    public Watch watch(Address address, Runnable wake) {
        requireOpen();
        return listener.watch(address, wake);
    }

    @Override
    public List<TrailLine> trail(Address address) {
        requireOpen();
        return browsing.trail(address);
    }

    @Override
    public Page browse(Query query) {
        requireOpen();
        return browsing.page(query);
    }

    @Override
    public OptionalLong purgeable() {
        requireOpen();
        return OptionalLong.of(purge.due());
    }

    @Override
    public int purge(int limit) {
        requireOpen();
        replays.writeAll();
        return purge.purge(limit);
    }

    @Override
    public Stats stats() {
        requireOpen();
        return browsing.stats();
    }

    @Override
    public String describe() {
        return where + " (schema " + settings.schema() + ", waiters "
                + (settings.notifies() ? "are woken by NOTIFY" : "poll") + ")";
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        listener.close();
        try {
            replays.writeAllQuietly();
        } finally {
            database.close();
        }
    }

    private LedgerUnavailableException keepsChanging(Address address) {
        return errors.unavailable("saw " + address + " change at every look. Try again", null);
    }

    private void requireOpen() {
        if (closed) {
            throw errors.unavailable("is closed", null);
        }
    }
}
