package dev.idem.internal.store;

import dev.idem.spi.EntryStore.Row;
import dev.idem.spi.Ticket;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The newest rows that this ledger has written for its tickets. An owner settles over the row of its grant without
 * reading it first. A row that is missing here costs one more read, so old rows may be dropped.
 */
public final class OwnRows {
    private static final int MOST = 10_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Ticket, Own> rows = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Ticket, Own> eldest) {
            return size() > MOST;
        }
    };

    /**
     * A row and when it was written, by the clock of this process.
     *
     * @param seen the entry of the row
     * @param nanos by the monotonic clock
     */
    public record Own(Row row, Stored seen, long nanos) {
        /** The store's wall time, as far as this process can tell without asking: never later than it is. */
        public Instant now() {
            return row.claimed().wall().plusNanos(System.nanoTime() - nanos);
        }
    }

    public void remember(Row row, Stored seen) {
        Ticket ticket = new Ticket(row.at(), row.fence());
        lock.lock();
        try {
            Own before = rows.get(ticket);
            rows.put(ticket, new Own(row, seen, before == null ? System.nanoTime() : before.nanos()));
        } finally {
            lock.unlock();
        }
    }

    @Nullable
    public Own of(Ticket ticket) {
        lock.lock();
        try {
            return rows.get(ticket);
        } finally {
            lock.unlock();
        }
    }

    public void drop(Ticket ticket) {
        lock.lock();
        try {
            rows.remove(ticket);
        } finally {
            lock.unlock();
        }
    }
}
