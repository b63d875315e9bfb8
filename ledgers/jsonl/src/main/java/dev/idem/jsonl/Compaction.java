package dev.idem.jsonl;

import dev.idem.Address;
import dev.idem.jsonl.line.BadLineException;
import dev.idem.jsonl.line.LineSource;
import dev.idem.jsonl.line.LineWriter;
import dev.idem.jsonl.line.RowChange;
import dev.idem.jsonl.line.Slot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Copies the newest lines into a new file while others write to the old one, then replaces the old file. Writers wait
 * only while the last few lines are copied.
 */
final class Compaction {
    /** The maximum length of the part that is copied while writers wait. */
    private static final long LAST_PART = 1 << 18;

    private static final int MOST_ROUNDS = 20;
    private static final System.Logger LOG = System.getLogger(Compaction.class.getName());

    private final LedgerFile store;
    private final Executor background;
    private final AtomicLong done = new AtomicLong();
    private volatile boolean stopped;
    private volatile @Nullable CountDownLatch running;
    private volatile long notBelow;

    Compaction(LedgerFile store, Executor background) {
        this.store = store;
        this.background = background;
        this.notBelow = store.options().compactFrom();
    }

    /** Starts a compaction if more than a third of the file is obsolete. Called by the leading writer only. */
    void consider() {
        long size = store.generation().size();
        if (running != null || stopped || size < notBelow) {
            return;
        }
        long live = store.generation().index().liveBytes();
        // Checking again is cheap; copying much to free little is not.
        if (size / 3 * 2 < live) {
            return;
        }
        running = new CountDownLatch(1);
        if (stopped) {
            // A concurrent stop() may have found no compaction running, and does not wait for one.
            ended();
            return;
        }
        try {
            background.execute(this::run);
        } catch (RuntimeException | Error e) {
            // There may be no thread for it. Earlier writes are not affected.
            ended();
            couldNot(e);
        }
    }

    /** The number of successful compactions. */
    long count() {
        return done.get();
    }

    private void run() {
        try {
            compact();
        } catch (IOException | RuntimeException | Error e) {
            // The old file is unchanged, or the ledger is dead.
            couldNot(e);
        } finally {
            ended();
        }
    }

    private void couldNot(Throwable e) {
        LOG.log(
                System.Logger.Level.WARNING,
                "ledger jsonl:" + store.options().path() + " could not be compacted and goes on growing",
                e);
    }

    /** Marks it as ended. The next one starts when the file has grown by half. */
    private void ended() {
        long size = store.generation().size();
        notBelow = Math.max(store.options().compactFrom(), size + size / 2);
        CountDownLatch ended = running;
        running = null;
        if (ended != null) {
            ended.countDown();
        }
    }

    private void compact() throws IOException {
        Generation old = store.generation();
        List<Map.Entry<Address, Slot>> newest = new ArrayList<>();
        AtomicLong end = new AtomicLong();
        store.commits().exclusively(() -> {
            newest.addAll(old.index().slots().entrySet());
            end.set(old.size());
        });
        newest.sort(Comparator.comparingLong(each -> each.getValue().offset()));
        try (NewFile next = NewFile.begin(store.disk(), store.options().path())) {
            if (!copyNewest(old, newest, next)) {
                return;
            }
            long copied = end.get();
            for (int round = 0; round < MOST_ROUNDS && old.size() - copied > LAST_PART && !stopped; round++) {
                long until = old.size();
                copyAll(old, copied, until, next);
                copied = until;
            }
            // Sync most of it now, so that the sync during which writers wait is short.
            next.sync();
            long from = copied;
            store.commits().exclusively(() -> replace(old, from, next));
        }
    }

    private void replace(Generation old, long from, NewFile next) {
        if (stopped || store.isDead()) {
            return;
        }
        Generation newest;
        try {
            copyAll(old, from, old.size(), next);
            // The new file must not replace a file of somebody else.
            store.requireInPlace(old, old.size());
            next.finish(store.highestFence());
            newest = next.generation();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        takePlace(newest, next);
        done.incrementAndGet();
    }

    private void takePlace(Generation newest, NewFile next) {
        try {
            next.takePlace();
            next.handOver();
            store.replace(newest);
            next.syncName();
        } catch (IOException | RuntimeException | Error e) {
            if (e instanceof IOException unmoved && !next.isNamed()) {
                throw new UncheckedIOException(unmoved);
            }
            // Either file may have the name, now or after a power cut: nothing more may be written.
            throw store.die(e instanceof IOException unsynced ? unsynced : new IOException(e));
        }
    }

    /** Copies single lines, each with its later changes; false if it was told to stop. */
    private boolean copyNewest(Generation old, List<Map.Entry<Address, Slot>> newest, NewFile next) throws IOException {
        LineSource source = new LineSource(old.file(), 0, old.size());
        for (Map.Entry<Address, Slot> each : newest) {
            if (stopped) {
                return false;
            }
            Address at = each.getKey();
            Slot slot = each.getValue();
            source.seek(slot.offset());
            requireLine(source.next() && source.whole());
            RowChange copied = next.copy(source);
            if (copied != null && slot.replays() != copied.slot().replays()) {
                next.add(LineWriter.replayed(at, slot.fence(), slot.replays()));
            }
            if (slot.lease() != null) {
                next.add(LineWriter.renewed(at, slot.fence(), slot.lease()));
            }
        }
        return true;
    }

    private static void copyAll(Generation old, long from, long to, NewFile next) throws IOException {
        LineSource source = new LineSource(old.file(), from, to);
        while (source.next()) {
            requireLine(source.whole());
            next.copy(source);
        }
    }

    private static void requireLine(boolean there) {
        if (!there) {
            throw new BadLineException("a line is not where it was");
        }
    }

    /** Cancels a running compaction and waits for its end. */
    void stop() {
        stopped = true;
        CountDownLatch ending = running;
        boolean interrupted = false;
        while (ending != null && ending.getCount() > 0) {
            try {
                ending.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
