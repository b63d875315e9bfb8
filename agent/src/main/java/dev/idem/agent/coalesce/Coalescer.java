package dev.idem.agent.coalesce;

import dev.idem.ThreadLabels;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Lets concurrent calls with the same key share one. Once it has ended nothing is kept: the next call goes out again.
 *
 * <p>The call upstream runs in a thread of its own, so that a caller who is interrupted or gives up harms nobody else.
 * When the last one has left, the call is interrupted.
 *
 * @param <T> what the calls give; one coalescer serves one kind of call
 */
public final class Coalescer<T extends @Nullable Object> {
    private final ConcurrentHashMap<String, Flight<T>> flights = new ConcurrentHashMap<>();
    private final Executor executor;
    private final LongAdder calls = new LongAdder();
    private final LongAdder upstream = new LongAdder();
    private final LongAdder shared = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder left = new LongAdder();
    private final LongAdder cancelled = new LongAdder();

    private Coalescer(Executor executor) {
        this.executor = executor;
    }

    /**
     * Runs the calls upstream in this executor.
     *
     * @param executor gives each call a thread; never the caller's own. What it throws, the caller gets
     */
    public static <T extends @Nullable Object> Coalescer<T> on(Executor executor) {
        return new Coalescer<>(executor);
    }

    /** Runs each call upstream in a daemon thread of its own. */
    public static <T extends @Nullable Object> Coalescer<T> create() {
        return on(task -> {
            Thread thread = new Thread(task, "idem-coalesce");
            thread.setDaemon(true);
            thread.start();
        });
    }

    /**
     * Makes the call, or shares the one that is under way.
     *
     * @throws InterruptedException when the caller is interrupted; others go on waiting
     * @throws Exception what the call throws, to all who share it the same
     */
    public T call(String key, Callable<? extends T> work) throws Exception {
        Flight<T> flight = board(key, work);
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

    /** Like {@link #call}, without waiting. To cancel the future, or let it time out, is to leave. */
    public CompletableFuture<T> start(String key, Callable<? extends T> work) {
        Flight<T> flight = board(key, work);
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

    public CoalesceStats stats() {
        return new CoalesceStats(
                calls.sum(), upstream.sum(), shared.sum(), failures.sum(), left.sum(), cancelled.sum());
    }

    private Flight<T> board(String key, Callable<? extends T> work) {
        calls.increment();
        while (true) {
            Flight<T> running = flights.get(key);
            if (running != null && running.runsInThisThread()) {
                throw new IllegalStateException("the call '" + key + "' waits for itself: it is made from inside it");
            } else if (running != null && running.join()) {
                shared.increment();
                return running;
            }
            Flight<T> mine = flight(key, work);
            boolean first =
                    running == null ? flights.putIfAbsent(key, mine) == null : flights.replace(key, running, mine);
            if (first) {
                return begin(key, mine);
            }
        }
    }

    private Flight<T> flight(String key, Callable<? extends T> work) {
        return new Flight<>(work, (flight, wentWell) -> {
            // Whoever comes after the end must not board any more.
            flights.remove(key, flight);
            if (!wentWell) {
                failures.increment();
            }
        });
    }

    private Flight<T> begin(String key, Flight<T> mine) {
        try {
            mine.start(task -> executor.execute(ThreadLabels.carry(task)));
            upstream.increment();
            return mine;
        } catch (RuntimeException | Error e) {
            // Whatever it is, a call that never began must not be joined by others.
            flights.remove(key, mine);
            mine.crash(e);
            throw e;
        }
    }

    private void leave(String key, Flight<T> flight) {
        left.increment();
        if (flight.leave()) {
            flights.remove(key, flight);
            cancelled.increment();
            flight.cancel();
        }
    }
}
