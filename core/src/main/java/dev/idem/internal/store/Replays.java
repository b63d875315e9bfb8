package dev.idem.internal.store;

import dev.idem.spi.ReplayCounting;
import dev.idem.spi.Ticket;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Counts replays in memory and writes the counts in batches, so that a replay needs no write of its own. */
public final class Replays {
    private static final int PORTION = 64;

    private final ReentrantLock lock = new ReentrantLock();
    /** Held while a portion is written: the ledger must not be closed before the write has ended. */
    private final ReentrantLock writing = new ReentrantLock();

    private final @Nullable ReplayCounting store;
    private Map<Ticket, Long> counted = new HashMap<>();
    private int sum;

    public Replays(@Nullable ReplayCounting store) {
        this.store = store;
    }

    public void count(Ticket ticket) {
        if (store == null) {
            return;
        }
        boolean full;
        lock.lock();
        try {
            counted.merge(ticket, 1L, Long::sum);
            full = ++sum >= PORTION;
        } finally {
            lock.unlock();
        }
        if (full) {
            flush();
        }
    }

    public long uncounted(Ticket ticket) {
        lock.lock();
        try {
            return counted.getOrDefault(ticket, 0L);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Writes the counts to the store. A count that can't be written is lost: it must fail neither a replay nor a list of
     * entries.
     */
    public void flush() {
        writing.lock();
        try {
            writeAll();
        } finally {
            writing.unlock();
        }
    }

    private void writeAll() {
        Map<Ticket, Long> portion;
        lock.lock();
        try {
            portion = counted;
            counted = new HashMap<>();
            sum = 0;
        } finally {
            lock.unlock();
        }
        if (store == null || portion.isEmpty()) {
            return;
        }
        try {
            store.countReplays(portion);
        } catch (RuntimeException e) {
            System.getLogger("dev.idem")
                    .log(Level.WARNING, "replays could not be counted; their results were returned", e);
        }
    }
}
