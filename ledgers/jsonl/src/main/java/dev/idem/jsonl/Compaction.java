package dev.idem.jsonl;

import dev.idem.Address;
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
 * Writes the newest lines into a new file, beside those who write to the old one, and puts it in the old one's place.
 * Only the last few lines are copied while others wait.
 */
final class Compaction {
    /** The part of the old file that is copied while others wait is at most this long. */
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

    /** Starts one where more than a third of the file is of no use any more. Of the leading writer alone. */
    void consider() {
        long size = store.generation().size();
        if (running != null || stopped || size < notBelow) {
            return;
        }
        long live = store.generation().index().liveBytes();
        // To look again costs nothing; to copy much for little does.
        if (size / 3 * 2 < live) {
            return;
        }
        running = new CountDownLatch(1);
        if (stopped) {
            // Whoever has stopped it meanwhile may have found none running, and waits for none.
            ended();
            return;
        }
        try {
            background.execute(this::run);
        } catch (RuntimeException | Error e) {
            // There may be no thread for it. What was written before it was thought of stands.
            ended();
            couldNot(e);
        }
    }

    /** How many have ended well. */
    long count() {
        return done.get();
    }

    private void run() {
        try {
            compact();
        } catch (IOException | RuntimeException | Error e) {
            // The old file is as good as before, or the ledger has ended.
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

    /** None runs any more. The next one begins when the file has grown by half. */
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
            // Most of it is written through now, so that the sync for which others wait is a short one.
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
            // Which of the two files has the name, now or after a power cut, is not known: nothing more may be written.
            throw store.die(e instanceof IOException unsynced ? unsynced : new IOException(e));
        }
    }

    /** Copies single lines, each with what has changed since it was written; false when it was told to stop. */
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
            Change copied = next.copy(source);
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

    /** Gives a running one up and waits for its end. */
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
