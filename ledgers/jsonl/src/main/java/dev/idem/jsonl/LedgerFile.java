package dev.idem.jsonl;

import dev.idem.Address;
import dev.idem.LedgerException;
import dev.idem.internal.ledger.WriteQueue;
import dev.idem.jsonl.disk.Disk;
import dev.idem.jsonl.disk.FileMark;
import dev.idem.jsonl.line.BadLineException;
import dev.idem.jsonl.line.LineBuffer;
import dev.idem.jsonl.line.LineReader;
import dev.idem.jsonl.line.Slot;
import dev.idem.jsonl.line.Trailer;
import dev.idem.spi.EntryStore.Row;
import dev.idem.spi.Watches;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An open ledger file, shared by all ledgers that this process has opened on it. */
final class LedgerFile {
    private static final int LARGEST_BATCH = 1024;
    private static final int LARGEST_BATCH_BYTES = 4 << 20;

    /** A batch takes no further steps after this long, so that small results do not wait long for large ones. */
    private static final long LONGEST_BATCH = TimeUnit.MILLISECONDS.toNanos(20);

    private static final System.Logger LOG = System.getLogger(LedgerFile.class.getName());

    private final Disk disk;
    private final JsonlOptions options;
    private final Errors errors;
    private final Disk.Lock lock;
    private final GroupCommit commits = new GroupCommit();
    private final Watches watches = new Watches();
    private final Compaction compaction;

    /** The requests of a batch. Allocated in full, so that no request is lost without memory. */
    private final List<Request<?>> members = new ArrayList<>(LARGEST_BATCH);

    private LineBuffer buffer = new LineBuffer();
    private long high;
    private volatile Generation generation;
    private volatile @Nullable LedgerException dead;

    /** For a batch that an Error has ended. Created in advance, because memory may be exhausted then. */
    private final LedgerException givenUp;

    LedgerFile(Environment environment, JsonlOptions options, Errors errors, Disk.Lock lock, Opening.Opened opened) {
        this.disk = environment.disk();
        this.options = options;
        this.errors = errors;
        this.lock = lock;
        this.givenUp = errors.notWritten(new IOException("the batch was given up after an error of its leader"));
        this.generation = opened.generation();
        this.high = opened.high();
        this.compaction = new Compaction(this, environment.background());
    }

    Disk disk() {
        return disk;
    }

    JsonlOptions options() {
        return options;
    }

    Errors errors() {
        return errors;
    }

    Watches watches() {
        return watches;
    }

    GroupCommit commits() {
        return commits;
    }

    Generation generation() {
        return generation;
    }

    Compaction compaction() {
        return compaction;
    }

    /** Called by the leading writer only. */
    long nextFence() {
        return ++high;
    }

    /** Called by the leading writer only. */
    long highestFence() {
        return high;
    }

    /** Whether the file can no longer be used. */
    boolean isDead() {
        return dead != null;
    }

    void requireUsable() {
        LedgerException why = dead;
        if (why != null) {
            throw errors.asItWas(why);
        }
    }

    /** The last synced version of the row, or null. */
    @Nullable
    Row read(Address at) {
        return reading(from -> {
                    Slot slot = from.index().find(at);
                    return slot == null ? Optional.<Row>empty() : Optional.of(load(from, at, slot));
                })
                .orElse(null);
    }

    /** A read from the file. */
    interface Reading<T> {
        T from(Generation generation) throws IOException;
    }

    /** Reads, and reads again if a compaction has replaced the file meanwhile. */
    <T> T reading(Reading<T> reading) {
        while (true) {
            requireUsable();
            Generation from = generation;
            try {
                return reading.from(from);
            } catch (IOException e) {
                requireUsable();
                if (Objects.equals(from, generation)) {
                    throw errors.notRead(e);
                }
            }
        }
    }

    /** The row of a slot. */
    Row load(Generation from, Address at, Slot slot) throws IOException {
        byte[] line = new byte[slot.length()];
        int read = from.file().read(slot.offset(), line, 0, line.length);
        try {
            if (read < line.length || line[read - 1] != '\n') {
                throw new BadLineException("it is shorter than it was");
            }
            return LineReader.row(at, slot, line, read - 1);
        } catch (BadLineException e) {
            throw errors.badEntry(slot.offset(), e);
        }
    }

    /** The steps of all threads, written in batches. */
    final class GroupCommit extends WriteQueue<Request<?>> {
        /** Runs the step in a batch and returns its answer once the batch is synced. */
        <A> A submit(Request.Work<A> work) {
            Request<A> own = new Request<>(work);
            await(own);
            return own.answer();
        }

        @Override
        protected void write(Request<?> first, Queue<Request<?>> more) {
            writeBatch(first, more);
        }
    }

    /** Runs the waiting steps, writes and syncs them as one batch, and answers them. */
    private void writeBatch(Request<?> first, Queue<Request<?>> queue) {
        boolean written = false;
        try {
            members.add(first);
            requireUsable();
            WriteBatch batch = new WriteBatch(this, buffer, generation.size());
            run(batch, queue);
            if (!batch.isEmpty()) {
                commit(batch);
            }
            written = true;
        } catch (LedgerException e) {
            members.forEach(request -> request.fail(e));
            written = true;
        } finally {
            if (!written) {
                // An unexpected error in the middle: no request may be answered as done.
                LedgerException last = dead;
                for (Request<?> request : members) {
                    request.fail(last == null ? givenUp : last);
                }
            }
            for (Request<?> request : members) {
                request.finish();
            }
            members.clear();
        }
        if (buffer.bytes().length > LARGEST_BATCH_BYTES) {
            buffer = new LineBuffer();
        }
    }

    private void run(WriteBatch batch, Queue<Request<?>> queue) {
        long start = System.nanoTime();
        Request<?> request = members.get(0);
        while (request != null) {
            request.run(batch);
            boolean full = members.size() == LARGEST_BATCH
                    || batch.bytes() > LARGEST_BATCH_BYTES
                    || System.nanoTime() - start > LONGEST_BATCH;
            request = full ? null : queue.poll();
            if (request != null) {
                members.add(request);
            }
        }
    }

    private void commit(WriteBatch batch) {
        Generation now = generation;
        batch.end(now.number() + 1, high);
        append(now);
        boolean known = false;
        try {
            now.grew(buffer.size());
            batch.changes().forEach(now.index()::apply);
            known = true;
        } finally {
            if (!known) {
                // The batch is on the disk, but the index lacks a part of it (out of memory): later reads might be
                // wrong.
                die(new IOException("the index could not be updated"));
            }
        }
        batch.changes().forEach(change -> watches.wake(change.at()));
        compaction.consider();
    }

    /**
     * Throws unless the name of the ledger still leads to the file that is open, with this size. A sync also succeeds
     * on a file that was deleted, and its lines would be lost.
     */
    void requireInPlace(Generation now, long size) throws IOException {
        if (!disk.isLasting()) {
            return;
        }
        lock.requireInPlace();
        FileMark found = disk.mark(options.path());
        if (!now.mark().isSameFile(found)) {
            throw new IOException("another file has its name");
        }
        requireSize(found.size(), size);
    }

    private static void requireSize(long found, long expected) throws IOException {
        if (found != expected) {
            throw new IOException("it has " + found + " bytes, not " + expected);
        }
    }

    /** Writes and syncs the buffer. A failed write leaves the file unchanged; a failed sync ends the ledger. */
    private void append(Generation now) {
        try {
            // A write at another place than the end would damage lines of another program, or leave a hole.
            requireSize(now.file().size(), now.size());
        } catch (IOException e) {
            throw die(errors.displaced(e));
        }
        try {
            now.file().write(now.size(), buffer.bytes(), 0, buffer.size());
        } catch (IOException e) {
            takeBack(now, e);
            throw errors.notWritten(e);
        } catch (RuntimeException | Error e) {
            takeBack(now, new IOException(e));
            throw e;
        }
        try {
            now.file().sync();
        } catch (IOException e) {
            // After a failed sync the system may have dropped the data, and a second sync would succeed without it.
            throw die(e);
        } catch (RuntimeException | Error e) {
            die(new IOException(e));
            throw e;
        }
        try {
            requireInPlace(now, now.size() + buffer.size());
        } catch (IOException e) {
            throw die(errors.displaced(e));
        }
    }

    private void takeBack(Generation now, IOException why) {
        try {
            now.file().truncate(now.size());
        } catch (IOException again) {
            why.addSuppressed(again);
            throw die(why);
        }
    }

    /** Makes the ledger unusable. */
    LedgerException die(IOException why) {
        return die(errors.notSynced(why));
    }

    private LedgerException die(LedgerException last) {
        dead = last;
        letGo();
        return last;
    }

    /** Switches to the new file after a compaction. Called with exclusive access only. */
    void replace(Generation next) {
        Generation old = generation;
        generation = next;
        try {
            old.file().close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "the old file of a compaction could not be closed", e);
        }
    }

    /** Closes the file with empty batches, which show that everything before them was synced. */
    void close() {
        compaction.stop();
        commits.exclusively(this::end);
    }

    private void end() {
        if (dead != null) {
            return;
        }
        dead = errors.closed(null);
        Generation last = generation;
        try {
            // The second batch vouches that everything before it was synced, so the first must be synced.
            long size = last.size();
            requireInPlace(last, size);
            for (int i = 1; i <= Trailer.AT_THE_END; i++) {
                buffer.clear();
                Trailer.empty(last.number() + i, high).write(buffer);
                last.file().write(size, buffer.bytes(), 0, buffer.size());
                last.file().sync();
                size += buffer.size();
            }
        } catch (IOException e) {
            // All answered steps are on the disk. The next opening finds a file that was not closed.
            LOG.log(System.Logger.Level.DEBUG, "the end of a ledger could not be written", e);
        }
        letGo();
    }

    private void letGo() {
        for (Closeable each : List.of(generation.file(), lock)) {
            try {
                each.close();
            } catch (IOException e) {
                LOG.log(System.Logger.Level.DEBUG, "a file of a ledger could not be closed", e);
            }
        }
    }
}
