package dev.idem.benchmarks;

import java.util.Arrays;
import java.util.List;

/** How long single calls took, and all of them together. */
final class Latencies {
    private final long[] sorted;
    private final double seconds;

    Latencies(List<long[]> nanos, long wallNanos) {
        sorted = nanos.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        seconds = wallNanos / 1e9;
    }

    double median() {
        return at(0.5);
    }

    /** The time that this part of the calls did not exceed, in nanoseconds. */
    double at(double part) {
        return sorted[(int) Math.min(sorted.length - 1L, Math.round(part * (sorted.length - 1)))];
    }

    double worst() {
        return sorted[sorted.length - 1];
    }

    double perSecond() {
        return sorted.length / seconds;
    }
}
