package dev.idem.sqlite;

import dev.idem.Address;
import dev.idem.LedgerException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.sqlite.BusyHandler;

/** The one connection of the process that writes. The leader of the {@link GroupCommit} uses it, one thread at a time. */
final class Writer {
    private static final int LARGEST_BATCH = 256;

    /** A batch takes no further requests after this long, so that small results do not wait long for large ones. */
    private static final long LONGEST_BATCH = TimeUnit.MILLISECONDS.toNanos(20);

    private final Opening opening;
    private final Readers readers;
    private final SqliteErrors errors;
    private final SqliteOptions options;
    private final Consumer<Address> changed;
    private final AtomicLong commits = new AtomicLong();

    /** The requests that are written together. Allocated in full, so that no request is lost without memory. */
    private final List<Request<?>> batch = new ArrayList<>(LARGEST_BATCH);

    /** For a batch that an Error has ended. Created in advance, because memory may be exhausted then. */
    private final LedgerException givenUp;

    private @Nullable SqliteConnection sqlite;
    private boolean opened;
    private boolean closed;

    Writer(Opening opening, Readers readers, SqliteErrors errors, SqliteOptions options, Consumer<Address> changed) {
        this.opening = opening;
        this.readers = readers;
        this.errors = errors;
        this.options = options;
        this.changed = changed;
        this.givenUp = errors.unavailable(
                "gave up a batch after an error of the thread that wrote it. "
                        + "It is not known whether the last change was written: ask again",
                null);
    }

    /** The number of times the write lock was taken. */
    long commits() {
        return commits.get();
    }

    /** Writes a request together with as many queued ones as fit into one transaction, and answers them. */
    void write(Request<?> first, Queue<Request<?>> queue) {
        try {
            batch.add(first);
            if (queue.isEmpty()) {
                writeAlone(first, queue);
            } else {
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

    /** Answers all that were not answered, and closes the connection, which rolls back an open transaction. */
    private void giveUp() {
        for (Request<?> request : batch) {
            if (!request.isDone()) {
                request.fail(givenUp);
            }
        }
        try {
            discard();
        } finally {
            batch.forEach(Request::finish);
        }
    }

    private void writeTogether(Queue<Request<?>> queue) {
        SqliteConnection open;
        try {
            open = begin();
        } catch (LedgerException e) {
            batch.get(0).fail(e);
            failAll(queue, e);
            return;
        }
        if (runAll(open, queue)) {
            commit(open, batch);
            return;
        }
        rollBack();
        // No request was answered yet: each is tried again alone, so that only the one at fault fails.
        for (Request<?> request : batch) {
            writeAlone(request, queue);
            request.finish();
        }
    }

    /** Runs requests until the queue is empty or the batch is full; false if one has broken the transaction. */
    private boolean runAll(SqliteConnection open, Queue<Request<?>> queue) {
        long start = System.nanoTime();
        Request<?> request = batch.get(0);
        while (request != null) {
            try {
                request.run(open);
            } catch (SQLException | RuntimeException e) {
                Log.debug("a transaction is rolled back, and its writes are made one by one", e);
                return false;
            }
            boolean full = batch.size() == LARGEST_BATCH || System.nanoTime() - start > LONGEST_BATCH;
            request = full ? null : queue.poll();
            if (request != null) {
                batch.add(request);
            }
        }
        return true;
    }

    /** Writes one request. A single statement commits by itself, so it holds the lock only briefly. */
    private void writeAlone(Request<?> request, Queue<Request<?>> queue) {
        try {
            if (request.isSingle()) {
                writeSingle(request);
                return;
            }
            SqliteConnection open = begin();
            request.run(open);
            commit(open, List.of(request));
        } catch (SQLException e) {
            discard();
            request.fail(request.isSingle() ? errors.ofSingle(e) : errors.of(e));
            if (SqliteErrors.isBusy(e)) {
                failAll(queue, errors.of(e));
            }
        } catch (RuntimeException e) {
            rollBack();
            request.fail(e);
        }
    }

    private void writeSingle(Request<?> request) throws SQLException {
        request.run(connected());
        committed(List.of(request));
    }

    private void commit(SqliteConnection open, List<Request<?>> written) {
        try {
            open.run("commit");
        } catch (SQLException e) {
            discard();
            LedgerException ambiguous = errors.ofCommit(e);
            written.forEach(request -> request.fail(ambiguous));
            return;
        }
        committed(written);
    }

    private void committed(List<Request<?>> written) {
        commits.incrementAndGet();
        for (Request<?> request : written) {
            Address at = request.wakes();
            if (at != null) {
                changed.accept(at);
            }
        }
    }

    /** Begins a transaction. */
    SqliteConnection begin() {
        try {
            SqliteConnection open = connected();
            open.run("begin");
            return open;
        } catch (SQLException e) {
            discard();
            throw errors.of(e);
        } catch (RuntimeException | Error e) {
            discard();
            throw e;
        }
    }

    /** Commits a transaction of {@link #begin()}. */
    void commitAlone(SqliteConnection open, List<Address> written) {
        try {
            open.run("commit");
        } catch (SQLException e) {
            discard();
            throw errors.ofCommit(e);
        } catch (RuntimeException | Error e) {
            discard();
            throw e;
        }
        commits.incrementAndGet();
        written.forEach(changed);
    }

    /** Rolls back the open transaction, if there is one. */
    void rollBack() {
        SqliteConnection open = sqlite;
        if (open == null) {
            // Closing the connection has rolled back.
            return;
        }
        try {
            open.run("rollback");
        } catch (SQLException e) {
            Log.debug("there was no transaction to roll back; its connection is given up", e);
            discard();
        } catch (RuntimeException | Error e) {
            discard();
            throw e;
        }
    }

    private SqliteConnection connected() throws SQLException {
        if (closed) {
            throw errors.unavailable("is closed", null);
        }
        SqliteConnection open = sqlite;
        if (open == null) {
            // The first connection may come from a reader; after an error the next one is new and checked.
            SqliteConnection spare = opened ? null : readers.spare();
            open = spare == null ? opening.next() : spare;
            opened = true;
            sqlite = open;
            BusyHandler.setHandler(open.connection(), new Patience(options.busy()));
        }
        return open;
    }

    /** Fails all queued requests at once: each would run into the same time-out. */
    private static void failAll(Queue<Request<?>> queue, LedgerException why) {
        for (Request<?> request = queue.poll(); request != null; request = queue.poll()) {
            request.fail(why);
            request.finish();
        }
    }

    /** Closes the connection: after an error of a commit its state is unknown. The next write opens another. */
    void discard() {
        SqliteConnection open = sqlite;
        sqlite = null;
        if (open != null) {
            try {
                open.close();
            } catch (SQLException e) {
                Log.debug("a connection could not be closed", e);
            }
        }
    }

    /** Closes the writer: later requests are refused and open no connection. */
    void close() {
        closed = true;
        discard();
    }

    /**
     * Waits for another process that writes, with short random pauses. With growing pauses, as in SQLite's own handler, the
     * longest waiter would try least often and might never get the lock.
     */
    private static final class Patience extends BusyHandler {
        private static final int QUICK_LOOKS = 20;
        private static final long QUICK_PAUSE = TimeUnit.MICROSECONDS.toNanos(150);
        private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(4);

        private final long limit;
        private long since;

        Patience(Duration limit) {
            this.limit = limit.toNanos();
        }

        /** Called repeatedly while the lock is taken: 1 to keep waiting, 0 to give up. */
        @Override
        protected int callback(int looks) {
            long now = System.nanoTime();
            if (looks == 0) {
                since = now;
            } else if (now - since > limit) {
                return 0;
            }
            long pause = looks < QUICK_LOOKS ? QUICK_PAUSE : PAUSE;
            LockSupport.parkNanos(pause / 4 + ThreadLocalRandom.current().nextLong(pause));
            return 1;
        }
    }
}
