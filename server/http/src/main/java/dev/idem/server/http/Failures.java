package dev.idem.server.http;

import dev.idem.server.LimitLog;
import dev.idem.spi.Clocks;
import dev.idem.spi.Moment;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** The wrong sign-ins of a second, by address. A token can't be guessed; this tells who tries. Thread-safe. */
final class Failures {
    private static final int MOST = 10;
    private static final int MOST_ADDRESSES = 10_000;
    private static final Duration WITHIN = Duration.ofSeconds(1);

    private final Clocks clocks;
    private final LimitLog log = new LimitLog();
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Integer> byAddress = new HashMap<>();
    private Moment since;

    Failures(Clocks clocks) {
        this.clocks = clocks;
        this.since = clocks.now();
    }

    /** Counts a failure. Whether there were too many of this address. */
    boolean isTooMany(String address) {
        boolean many = count(address) > MOST;
        if (many) {
            log.tell(() -> "wrong tokens at the sign-in: more than " + MOST + " a second, from " + address);
        }
        return many;
    }

    private int count(String address) {
        lock.lock();
        try {
            Moment now = clocks.now();
            if (since.until(now).compareTo(WITHIN) >= 0 || byAddress.size() >= MOST_ADDRESSES) {
                since = now;
                byAddress.clear();
            }
            return byAddress.merge(address, 1, Integer::sum);
        } finally {
            lock.unlock();
        }
    }
}
