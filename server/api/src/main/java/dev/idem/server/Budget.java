package dev.idem.server;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * So much of something that a server has for all its clients, and the share of it that one of them may have. The log says
 * that a limit is met, at most once a minute. Thread-safe.
 */
public final class Budget {
    private final String what;
    private final long most;
    private final long share;
    private final LimitLog log = new LimitLog();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition givenBack = lock.newCondition();
    private final Map<@Nullable String, Long> taken = new HashMap<>();
    private long all;

    /**
     * Nothing is taken yet.
     *
     * @param what is counted, for the log and for who is refused: "streams of events"
     * @param most for all together
     * @param share for one client
     */
    public Budget(String what, long most, long share) {
        this.what = what;
        this.most = Math.max(1, most);
        this.share = Math.max(1, Math.min(share, this.most));
    }

    /** What has been taken, until it is given back: once, however often that is said. */
    public final class Place implements AutoCloseable {
        private final @Nullable String client;
        private final AtomicLong amount;

        private Place(@Nullable String client, long amount) {
            this.client = client;
            this.amount = new AtomicLong(amount);
        }

        /** Keeps at most so much, and gives the rest back. */
        public void keep(long most) {
            long before = amount.getAndUpdate(now -> Math.min(now, most));
            if (before > most) {
                giveBack(client, before - most);
            }
        }

        @Override
        public void close() {
            keep(0);
        }
    }

    /** One for so many bytes of the heap, but at most so many. */
    public static long ofHeap(long bytes, long most) {
        return Math.max(1, Math.min(most, Runtime.getRuntime().maxMemory() / bytes));
    }

    /** Takes one; null if there is none left for this client, or for anybody. A client that is null needs no share. */
    public @Nullable Place take(@Nullable String client) {
        return take(client, 1);
    }

    /** The same for many. However many, they are had where nothing else is taken. */
    public @Nullable Place take(@Nullable String client, long amount) {
        Place place = placeNow(client, amount);
        if (place == null) {
            tell(client);
        }
        return place;
    }

    private @Nullable Place placeNow(@Nullable String client, long amount) {
        lock.lock();
        try {
            if (!hasRoom(client, amount)) {
                return null;
            }
            all += amount;
            taken.merge(client, amount, Long::sum);
        } finally {
            lock.unlock();
        }
        return new Place(client, amount);
    }

    /** Not under the lock: a log may be slow. */
    private void tell(@Nullable String client) {
        log.tell(() -> {
            lock.lock();
            try {
                return what + ": " + all + " of " + most + " are taken"
                        + (client == null
                                ? ""
                                : ", " + taken.getOrDefault(client, 0L) + " of " + share + " by " + client);
            } finally {
                lock.unlock();
            }
        });
    }

    /** Whether a client has less than its share. */
    public boolean hasShare(@Nullable String client) {
        lock.lock();
        try {
            return client == null || taken.getOrDefault(client, 0L) < share;
        } finally {
            lock.unlock();
        }
    }

    private boolean hasRoom(@Nullable String client, long amount) {
        long own = taken.getOrDefault(client, 0L);
        return (all == 0 || all + amount <= most) && (client == null || own == 0 || own + amount <= share);
    }

    private void giveBack(@Nullable String client, long amount) {
        lock.lock();
        try {
            all -= amount;
            taken.computeIfPresent(client, (same, own) -> own == amount ? null : own - amount);
            givenBack.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Takes one, or throws {@link ApiException}. */
    public Place require(@Nullable String client) {
        return require(client, 1);
    }

    /** The same for many. */
    public Place require(@Nullable String client, long amount) {
        return given(placeNow(client, amount), client);
    }

    private Place given(@Nullable Place place, @Nullable String client) {
        if (place == null) {
            tell(client);
            throw busy();
        }
        return place;
    }

    /** Takes as many once there are so many. */
    public Place await(@Nullable String client, long amount, Duration longest) throws InterruptedException {
        Place place;
        lock.lock();
        try {
            long left = longest.toNanos();
            while (left > 0 && !hasRoom(client, amount)) {
                left = givenBack.awaitNanos(left);
            }
            place = placeNow(client, amount);
        } finally {
            lock.unlock();
        }
        return given(place, client);
    }

    /** The refusal of a client that gets none. */
    public ApiException busy() {
        return new ApiException(
                ApiError.BUSY,
                "this server has too many " + what
                        + ", all together or of your token. Send this again later. Nothing was done");
    }
}
