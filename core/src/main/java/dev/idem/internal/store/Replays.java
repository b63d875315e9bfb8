package dev.idem.internal.store;

import dev.idem.Address;
import dev.idem.spi.ReplayCounting;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Figures.Kind;
import dev.idem.spi.browse.TryCounting;
import dev.idem.spi.browse.TryCounting.Hourly;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
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
    /** The same by hour, operation and scope, each with the count 0. */
    private Map<Hourly, Long> hours = new HashMap<>();

    private int sum;

    public Replays(@Nullable ReplayCounting store) {
        this.store = store;
    }

    /**
     * Counts a replay.
     *
     * @param now the store's time
     */
    public void count(Ticket ticket, Instant now) {
        if (store == null) {
            return;
        }
        boolean full;
        lock.lock();
        try {
            counted.merge(ticket, 1L, Long::sum);
            if (store instanceof TryCounting) {
                Address at = ticket.address();
                Instant hour = now.truncatedTo(ChronoUnit.HOURS);
                hours.merge(new Hourly(hour, at.scope(), at.operation(), Kind.DUPLICATE, -1, 0), 1L, Long::sum);
            }
            full = ++sum >= PORTION;
        } finally {
            lock.unlock();
        }
        // A thread that would wait for another one's write goes on: the write after that takes its counts, too.
        if (full && writing.tryLock()) {
            try {
                writeAll();
            } finally {
                writing.unlock();
            }
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
        List<Hourly> hourly;
        lock.lock();
        try {
            portion = counted;
            counted = new HashMap<>();
            hourly = hours.entrySet().stream()
                    .map(each -> each.getKey().withCount(each.getValue()))
                    .toList();
            hours = new HashMap<>();
            sum = 0;
        } finally {
            lock.unlock();
        }
        if (store == null || portion.isEmpty()) {
            return;
        }
        try {
            if (store instanceof TryCounting counting) {
                counting.countReplays(portion, hourly);
            } else {
                store.countReplays(portion);
            }
        } catch (RuntimeException e) {
            System.Logger log = System.getLogger("dev.idem");
            log.log(
                    Level.WARNING,
                    () -> "replays could not be counted; their results were returned: " + e.getMessage());
            log.log(Level.DEBUG, "replays could not be counted", e);
        }
    }
}
