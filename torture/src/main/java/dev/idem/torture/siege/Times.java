package dev.idem.torture.siege;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/** How long the requests of a client took, and what went wrong. Thread-safe. */
final class Times {
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Double> millis = new ArrayList<>();
    private final Map<String, Integer> errors = new TreeMap<>();

    void add(long nanos) {
        lock.lock();
        try {
            millis.add(nanos / 1e6);
        } finally {
            lock.unlock();
        }
    }

    /** Counts an error: a status, or a few words. */
    void addError(String what) {
        lock.lock();
        try {
            errors.merge(what, 1, Integer::sum);
        } finally {
            lock.unlock();
        }
    }

    Map<String, Integer> errors() {
        lock.lock();
        try {
            return new TreeMap<>(errors);
        } finally {
            lock.unlock();
        }
    }

    /** The time that this part of the requests did not exceed, in milliseconds. */
    double at(double part) {
        lock.lock();
        try {
            List<Double> sorted = new ArrayList<>(millis);
            Collections.sort(sorted);
            return sorted.isEmpty() ? 0 : sorted.get((int) Math.round(part * (sorted.size() - 1)));
        } finally {
            lock.unlock();
        }
    }

    int count() {
        lock.lock();
        try {
            return millis.size();
        } finally {
            lock.unlock();
        }
    }

    /** Whether nothing failed, and nearly all answers came about as soon as they did in calm times. */
    boolean isWell(Times calm, Duration allowance) {
        return errors().isEmpty() && count() > 0 && at(0.99) <= 5 * calm.at(0.99) + allowance.toMillis();
    }

    /** Median, 99th percentile and worst, in milliseconds. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.1f/%.0f/%.0f", at(0.5), at(0.99), at(1));
    }
}
