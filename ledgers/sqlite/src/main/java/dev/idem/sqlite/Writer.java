package dev.idem.sqlite;

import dev.idem.entry.Address;
import dev.idem.error.LedgerException;
import dev.idem.sql.ReplayCounts;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.sqlite.BusyHandler;

/** The one connection of the process that writes. Used by one thread at a time, whoever leads the group commit. */
final class Writer {
    private static final int LARGEST_BATCH = 256;

    /** A batch takes no further steps after this long, so that nobody waits long for large results of others. */
    private static final long LONGEST_BATCH = TimeUnit.MILLISECONDS.toNanos(20);

    private static final System.Logger LOG = System.getLogger(Writer.class.getName());

    private final Opening opening;
    private final Readers readers;
    private final SqliteErrors errors;
    private final SqliteOptions options;
    private final ReplayCounts replays;
    private final Consumer<Address> changed;
    private final AtomicLong commits = new AtomicLong();
    private final Remembered remembered = new Remembered();
    private @Nullable SqliteConnection sqlite;
    private boolean opened;

    Writer(
            Opening opening,
            Readers readers,
            SqliteErrors errors,
            SqliteOptions options,
            ReplayCounts replays,
            Consumer<Address> changed) {
        this.opening = opening;
        this.readers = readers;
        this.errors = errors;
        this.options = options;
        this.replays = replays;
        this.changed = changed;
    }

    /** How many transactions have changed something. */
    long commits() {
        return commits.get();
    }

    /** Writes what is queued, as much as fits into one transaction, and answers. */
    void write(Queue<Request<?>> queue) {
        Request<?> first = queue.poll();
        if (first == null || (queue.isEmpty() && wroteSingle(first))) {
            return;
        }
        List<Request<?>> batch = new ArrayList<>();
        WriteTransaction transaction;
        try {
            transaction = begin();
        } catch (LedgerException e) {
            // Whoever waits has waited as long; each of them would wait as long again.
            batch.add(first);
            take(queue, batch).forEach(request -> request.fail(e));
            batch.forEach(Request::finish);
            return;
        }
        RuntimeException spoilt;
        try {
            spoilt = run(transaction, first, queue, batch);
        } catch (Error e) {
            // Nobody of the batch may wait for ever, and no lock may stay: the connection goes, with what it holds.
            discard();
            batch.forEach(request -> request.fail(errors.unavailable("was not written to: " + e, e)));
            batch.forEach(Request::finish);
            throw e;
        }
        if (spoilt == null) {
            commit(transaction, batch);
        } else if (batch.size() == 1) {
            rollBack(transaction);
            batch.get(0).fail(spoilt);
        } else {
            // Nobody was answered yet: each is tried again alone, so that only the one at fault fails.
            rollBack(transaction);
            batch.forEach(this::writeAlone);
        }
        batch.forEach(Request::finish);
    }

    /** Writes a step that is a single statement, and answers. False, and nothing was written, if it is not. */
    private boolean wroteSingle(Request<?> request) {
        SqliteConnection open = sqlite;
        if (open == null) {
            return false;
        }
        WriteTransaction unbegun = new WriteTransaction(open, options.trail(), replays, remembered);
        try {
            if (!request.runSingle(unbegun)) {
                return false;
            }
            committed(unbegun);
        } catch (SQLException e) {
            // It was to be committed by the same statement, so nobody knows what became of it.
            discard();
            request.fail(errors.ofSingle(e));
        } catch (RuntimeException e) {
            request.fail(e);
        } catch (Error e) {
            discard();
            request.fail(errors.unavailable("was not written to: " + e, e));
            request.finish();
            throw e;
        }
        request.finish();
        return true;
    }

    private void writeAlone(Request<?> request) {
        WriteTransaction transaction;
        try {
            transaction = begin();
        } catch (LedgerException e) {
            request.fail(e);
            return;
        }
        RuntimeException spoilt = runOne(transaction, request);
        if (spoilt == null) {
            commit(transaction, List.of(request));
        } else {
            rollBack(transaction);
            request.fail(spoilt);
        }
    }

    /** Runs steps until the queue is empty or the batch is full; gives what spoilt the transaction, if anything did. */
    private @Nullable RuntimeException run(
            WriteTransaction transaction, Request<?> first, Queue<Request<?>> queue, List<Request<?>> batch) {
        long start = System.nanoTime();
        Request<?> request = first;
        while (request != null) {
            batch.add(request);
            RuntimeException spoilt = runOne(transaction, request);
            if (spoilt != null) {
                return spoilt;
            }
            boolean full = batch.size() == LARGEST_BATCH || System.nanoTime() - start > LONGEST_BATCH;
            request = full ? null : queue.poll();
        }
        return null;
    }

    /** Runs a step. One that fails before it has written anything harms no other. */
    private @Nullable RuntimeException runOne(WriteTransaction transaction, Request<?> request) {
        long before = transaction.writes();
        try {
            request.run(transaction);
            return null;
        } catch (SQLException e) {
            // The driver has closed the statement that failed, and SQLite may have rolled back by itself.
            discard();
            return errors.of(e);
        } catch (RuntimeException e) {
            request.fail(e);
            return transaction.writes() == before ? null : e;
        }
    }

    private void commit(WriteTransaction transaction, List<Request<?>> batch) {
        try {
            transaction.commit();
        } catch (SQLException e) {
            discard();
            LedgerException ambiguous = errors.ofCommit(e);
            batch.forEach(request -> request.fail(ambiguous));
            return;
        }
        committed(transaction);
    }

    private void committed(WriteTransaction transaction) {
        if (transaction.writes() > 0) {
            commits.incrementAndGet();
            transaction.changed().forEach(changed);
        }
    }

    /** Begins a transaction that the caller, who has seized the group commit, ends. */
    WriteTransaction beginAlone() {
        return begin();
    }

    /** Commits it, or throws what makes it ambiguous. */
    void commitAlone(WriteTransaction transaction) {
        try {
            transaction.commit();
        } catch (SQLException e) {
            discard();
            throw errors.ofCommit(e);
        }
        commits.incrementAndGet();
        transaction.changed().forEach(changed);
    }

    void rollBackAlone(WriteTransaction transaction) {
        rollBack(transaction);
    }

    private WriteTransaction begin() {
        try {
            SqliteConnection open = connected();
            open.run("begin");
            return new WriteTransaction(open, options.trail(), replays, remembered);
        } catch (SQLException e) {
            discard();
            throw errors.of(e);
        }
    }

    private SqliteConnection connected() throws SQLException {
        SqliteConnection open = sqlite;
        if (open == null) {
            // After one was given up for an error the next is a new one, which is looked at when it is opened.
            SqliteConnection spare = opened ? null : readers.spare();
            open = spare == null ? opening.next() : spare;
            opened = true;
            BusyHandler.setHandler(open.connection(), new Patience(options.busy()));
            sqlite = open;
        }
        return open;
    }

    private void rollBack(WriteTransaction transaction) {
        remembered.forget();
        if (sqlite == null) {
            // Closing the connection has rolled back.
            return;
        }
        try {
            transaction.rollBack();
        } catch (SQLException e) {
            LOG.log(System.Logger.Level.DEBUG, "a transaction could not be rolled back; its connection is given up", e);
            discard();
        }
    }

    private static List<Request<?>> take(Queue<Request<?>> queue, List<Request<?>> batch) {
        for (Request<?> request = queue.poll(); request != null; request = queue.poll()) {
            batch.add(request);
        }
        return batch;
    }

    /** Gives the connection up: after an error of a commit nothing is known of it. The next write opens another. */
    private void discard() {
        SqliteConnection open = sqlite;
        sqlite = null;
        remembered.forget();
        if (open != null) {
            try {
                open.close();
            } catch (SQLException e) {
                LOG.log(System.Logger.Level.DEBUG, "a connection could not be closed", e);
            }
        }
    }

    void close() {
        discard();
    }
}
