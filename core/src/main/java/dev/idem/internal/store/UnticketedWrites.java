package dev.idem.internal.store;

import dev.idem.Address;
import dev.idem.LedgerUnavailableException;
import dev.idem.spi.EntryStore;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Carries out requests that have no ticket and no attempt id: resolve and forget. When the answer to a write is lost, the
 * row is read again, and one's own version in it tells that the write was carried out. A later call with the same request
 * knows it too.
 */
public final class UnticketedWrites {
    private static final int MOST = 1_000;
    private static final int MOST_TRIES = 2;

    private final EntryStore store;
    private final ReentrantLock lock = new ReentrantLock();

    /** The versions that were sent for a request and not answered. */
    private final Map<Object, Set<Long>> unanswered = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Set<Long>> eldest) {
            return size() > MOST;
        }
    };

    public UnticketedWrites(EntryStore store) {
        this.store = store;
    }

    /**
     * Decides by the row at an address. Gives true where an earlier write for the same request is found there.
     *
     * @param request equal to the request of an earlier call that is asked again
     */
    public boolean decide(Address at, Object request, Swaps.Decision<Boolean> decision) {
        Set<Long> sent = take(request);
        for (int tries = 1; ; tries++) {
            try {
                return Swaps.decide(store, at, store.read(at), (row, seen, now) -> {
                    if (row != null && sent.contains(row.version())) {
                        store.confirm(row);
                        return Move.keep(true);
                    }
                    Move<Boolean> move = decision.of(row, seen, now);
                    if (move.draft() != null) {
                        sent.add(move.draft().version());
                    }
                    return move;
                });
            } catch (LedgerUnavailableException e) {
                if (tries == MOST_TRIES || sent.isEmpty()) {
                    keep(request, sent);
                    throw e;
                }
            }
        }
    }

    /** Two calls at the same time share nothing: of two equal requests one is carried out. */
    private Set<Long> take(Object request) {
        lock.lock();
        try {
            Set<Long> sent = unanswered.remove(request);
            return sent == null ? new HashSet<>() : sent;
        } finally {
            lock.unlock();
        }
    }

    private void keep(Object request, Set<Long> sent) {
        lock.lock();
        try {
            if (!sent.isEmpty()) {
                unanswered.put(request, sent);
            }
        } finally {
            lock.unlock();
        }
    }
}
