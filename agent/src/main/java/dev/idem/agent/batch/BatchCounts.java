package dev.idem.agent.batch;

import dev.idem.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/** Counts how items ended, and keeps the first that are not complete. */
final class BatchCounts {
    private static final int MOST_TROUBLES = 1_000;

    private final String job;
    private final long began = System.nanoTime();
    private final Map<ItemState, LongAdder> counts = new EnumMap<>(ItemState.class);
    private final Queue<ItemTrouble> troubles = new ConcurrentLinkedQueue<>();

    BatchCounts(String job) {
        this.job = job;
        for (ItemState state : ItemState.values()) {
            counts.put(state, new LongAdder());
        }
    }

    void count(String id, ItemState state, Outcome<?> outcome) {
        Objects.requireNonNull(counts.get(state)).increment();
        if (!state.complete() && count(ItemState.IN_FLIGHT) + troubles() <= MOST_TROUBLES) {
            troubles.add(new ItemTrouble(id, state, outcome.message(), outcome.failure()));
        }
    }

    /** How many items have failed or are in doubt. */
    long troubles() {
        return count(ItemState.FAILED) + count(ItemState.IN_DOUBT);
    }

    Progress progress(OptionalLong total) {
        return new Progress(job, counts(), total, took());
    }

    BatchReport report(String stopped) {
        return new BatchReport(job, counts(), new ArrayList<>(troubles), stopped, took());
    }

    private BatchReport.Counts counts() {
        return new BatchReport.Counts(
                count(ItemState.DONE),
                count(ItemState.SKIPPED),
                count(ItemState.FAILED),
                count(ItemState.IN_DOUBT),
                count(ItemState.IN_FLIGHT));
    }

    private long count(ItemState state) {
        return Objects.requireNonNull(counts.get(state)).sum();
    }

    private Duration took() {
        return Duration.ofNanos(System.nanoTime() - began);
    }
}
