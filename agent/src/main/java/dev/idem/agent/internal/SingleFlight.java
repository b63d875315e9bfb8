package dev.idem.agent.internal;

import dev.idem.ThreadLabels;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Lets concurrent calls with the same key share one call. Nothing is kept once it has ended. Thread-safe. */
public final class SingleFlight<K, T extends @Nullable Object> {
    private final ConcurrentHashMap<K, SharedCall<T>> flights = new ConcurrentHashMap<>();
    private final Executor executor;
    private final LongAdder calls = new LongAdder();
    private final LongAdder started = new LongAdder();
    private final LongAdder shared = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder left = new LongAdder();
    private final LongAdder cancelled = new LongAdder();

    /** The number of events so far. */
    public record Counts(long calls, long started, long shared, long failures, long left, long cancelled) {}

    /**
     * @param executor runs the calls; {@code Runnable::run} runs each in the thread of its first caller
     */
    public SingleFlight(Executor executor) {
        this.executor = executor;
    }

    /**
     * Makes the call, or waits for the running call with the same key.
     *
     * @throws InterruptedException if this caller is interrupted; the other callers go on waiting
     * @throws Exception that the call throws; all callers that share it get the same one
     */
    public T call(K key, Callable<? extends T> work) throws Exception {
        SharedCall<T> flight = board(key, work);
        try {
            return flight.landed().get();
        } catch (InterruptedException e) {
            leave(key, flight);
            throw e;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof Exception exception ? exception : e;
        }
    }

    /** Like {@link #call}, without waiting. A caller leaves by cancelling the future, or when it times out. */
    public CompletableFuture<T> start(K key, Callable<? extends T> work) {
        SharedCall<T> flight = board(key, work);
        CompletableFuture<T> mine = new CompletableFuture<>();
        CompletableFuture<T> unusedLeaving = mine.whenComplete((value, thrown) -> {
            if (!flight.landed().isDone()) {
                leave(key, flight);
            }
        });
        CompletableFuture<T> unusedForwarding = flight.landed().whenComplete((value, thrown) -> {
            if (thrown == null) {
                mine.complete(value);
            } else {
                mine.completeExceptionally(thrown);
            }
        });
        return mine;
    }

    public Counts counts() {
        return new Counts(calls.sum(), started.sum(), shared.sum(), failures.sum(), left.sum(), cancelled.sum());
    }

    private SharedCall<T> board(K key, Callable<? extends T> work) {
        calls.increment();
        while (true) {
            SharedCall<T> running = flights.get(key);
            if (running != null && running.runsInThisThread()) {
                throw new IllegalStateException("the call '" + key + "' waits for itself: it is made from inside it");
            } else if (running != null && running.join()) {
                shared.increment();
                return running;
            }
            SharedCall<T> mine = flight(key, work);
            boolean first =
                    running == null ? flights.putIfAbsent(key, mine) == null : flights.replace(key, running, mine);
            if (first) {
                return begin(key, mine);
            }
        }
    }

    private SharedCall<T> flight(K key, Callable<? extends T> work) {
        return new SharedCall<>(work, (flight, returned) -> {
            // Removed before it lands: a caller that comes after the end must not join it.
            flights.remove(key, flight);
            if (!returned) {
                failures.increment();
            }
        });
    }

    private SharedCall<T> begin(K key, SharedCall<T> mine) {
        try {
            mine.start(task -> executor.execute(ThreadLabels.carry(task)));
            started.increment();
            return mine;
        } catch (RuntimeException | Error e) {
            // A call that never began must not be joined.
            flights.remove(key, mine);
            mine.crash(e);
            throw e;
        }
    }

    private void leave(K key, SharedCall<T> flight) {
        left.increment();
        if (flight.leave()) {
            flights.remove(key, flight);
            cancelled.increment();
            flight.cancel();
        }
    }
}
