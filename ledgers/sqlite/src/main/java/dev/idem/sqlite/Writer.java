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

    private final Opening opening;
    private final Readers readers;
    private final SqliteErrors errors;
    private final SqliteOptions options;
    private final ReplayCounts replays;
    private final Consumer<Address> changed;
    private final AtomicLong commits = new AtomicLong();
    private final Remembered remembered = new Remembered();
    private final EntryText texts = new EntryText();

    /** What is written together. Has room for all from the start: nobody is lost for want of memory. */
    private final List<Request<?>> batch = new ArrayList<>(LARGEST_BATCH);

    private @Nullable SqliteConnection sqlite;
    private boolean opened;
    private boolean begun;
    private boolean closed;

    /** For a batch that an error has ended. Made before, since there may be no memory for it then. */
    private final LedgerException givenUp;

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
        this.givenUp = errors.unavailable(
                "gave up a batch after an error of the thread that wrote it. "
                        + "It is not known whether the last change was written: ask again",
                null);
    }

    /** How many transactions have changed something. */
    long commits() {
        return commits.get();
    }

    /** Writes one request and what is queued, as much as fits into one transaction, and answers. */
    void write(Request<?> first, Queue<Request<?>> queue) {
        try {
            batch.add(first);
            if (!queue.isEmpty() || !wroteSingle(first, queue)) {
                writeTogether(queue);
            }
            batch.forEach(Request::finish);
        } catch (RuntimeException | Error e) {
            giveUp();
            throw e;
        } finally {
            batch.clear();
        }
    }

    /** Nobody of the batch may wait for ever, nor take it for done; and the connection goes, with what it holds. */
    private void giveUp() {
        for (Request<?> request : batch) {
            if (!request.isDone()) {
                request.fail(givenUp);
            }
        }
        try {
            discard();
        } finally {
            for (Request<?> request : batch) {
                request.finish();
            }
        }
    }

    private void writeTogether(Queue<Request<?>> queue) {
        WriteTransaction transaction;
        try {
            transaction = begin();
        } catch (LedgerException e) {
            batch.get(0).fail(e);
            failAll(queue, e);
            return;
        }
        RuntimeException spoilt = run(transaction, queue);
        if (spoilt == null) {
            commit(transaction, batch);
        } else if (batch.size() == 1) {
            rollBack(transaction);
            batch.get(0).fail(spoilt);
        } else {
            // Nobody was answered yet: each is tried again alone, so that only the one at fault fails.
            rollBack(transaction);
            for (Request<?> request : batch) {
                writeAlone(request);
                request.finish();
            }
        }
    }

    /** Writes a step that is a single statement, and answers. False, and nothing was written, if it is not. */
    private boolean wroteSingle(Request<?> request, Queue<Request<?>> queue) {
        SqliteConnection open = connectedOrNot();
        if (open == null) {
            return false;
        }
        WriteTransaction unbegun = new WriteTransaction(open, options.trail(), replays, remembered, texts);
        try {
            if (!request.runSingle(unbegun)) {
                return false;
            }
            committed(unbegun);
        } catch (SQLException e) {
            discard();
            if (unbegun.wasLooking()) {
                return false;
            }
            // It was to be committed by the same statement, so nobody knows what became of it.
            LedgerException why = errors.ofSingle(e);
            request.fail(why);
            if (SqliteErrors.isBusy(e)) {
                failAll(queue, why);
            }
        } catch (RuntimeException e) {
            remembered.forget();
            request.fail(e);
        }
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
    private @Nullable RuntimeException run(WriteTransaction transaction, Queue<Request<?>> queue) {
        long start = System.nanoTime();
        Request<?> request = batch.get(0);
        while (request != null) {
            RuntimeException spoilt = runOne(transaction, request);
            if (spoilt != null) {
                return spoilt;
            }
            boolean full = batch.size() == LARGEST_BATCH || System.nanoTime() - start > LONGEST_BATCH;
            request = full ? null : queue.poll();
            if (request != null) {
                batch.add(request);
            }
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
            // It may have drawn a fence that nobody has.
            remembered.forget();
            request.fail(e);
            return transaction.writes() == before ? null : e;
        }
    }

    private void commit(WriteTransaction transaction, List<Request<?>> written) {
        try {
            transaction.commit();
            begun = false;
        } catch (SQLException e) {
            discard();
            LedgerException ambiguous = errors.ofCommit(e);
            written.forEach(request -> request.fail(ambiguous));
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
            begun = false;
        } catch (SQLException e) {
            discard();
            throw errors.ofCommit(e);
        } catch (RuntimeException | Error e) {
            discard();
            throw e;
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
            begun = true;
            open.run("begin");
            return new WriteTransaction(open, options.trail(), replays, remembered, texts);
        } catch (SQLException e) {
            discard();
            throw errors.of(e);
        } catch (RuntimeException | Error e) {
            discard();
            throw e;
        }
    }

    /** The connection, if there is no transaction on it: in one that was left open nothing would be committed. */
    private @Nullable SqliteConnection connectedOrNot() {
        try {
            return begun ? null : connected();
        } catch (SQLException | LedgerException e) {
            // Whoever begins a transaction meets it again, and says so.
            discard();
            Log.debug("there is no connection yet", e);
            return null;
        }
    }

    private SqliteConnection connected() throws SQLException {
        if (closed) {
            throw errors.unavailable("is closed", null);
        }
        if (begun) {
            discard();
        }
        SqliteConnection open = sqlite;
        if (open == null) {
            // After one was given up for an error the next is a new one, which is looked at when it is opened.
            SqliteConnection spare = opened ? null : readers.spare();
            open = spare == null ? opening.next() : spare;
            opened = true;
            sqlite = open;
            BusyHandler.setHandler(open.connection(), new Patience(options.busy()));
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
            begun = false;
        } catch (SQLException e) {
            Log.debug("a transaction could not be rolled back; its connection is given up", e);
            discard();
        } catch (RuntimeException | Error e) {
            discard();
            throw e;
        }
    }

    /** Whoever waits has waited as long; each of them would wait as long again. */
    private static void failAll(Queue<Request<?>> queue, LedgerException why) {
        for (Request<?> request = queue.poll(); request != null; request = queue.poll()) {
            request.fail(why);
            request.finish();
        }
    }

    /** Gives the connection up: after an error of a commit nothing is known of it. The next write opens another. */
    void discard() {
        SqliteConnection open = sqlite;
        sqlite = null;
        begun = false;
        remembered.forget();
        if (open != null) {
            try {
                open.close();
            } catch (SQLException e) {
                Log.debug("a connection could not be closed", e);
            }
        }
    }

    /** Ends it: whoever comes later is told so, and opens nothing. */
    void close() {
        closed = true;
        discard();
    }
}
