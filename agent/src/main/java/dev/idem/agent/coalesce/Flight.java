package dev.idem.agent.coalesce;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** One call upstream, and how many wait for it. It is interrupted when the last of them leaves. */
final class Flight<T extends @Nullable Object> {
    private final AtomicInteger waiting = new AtomicInteger(1);
    private final CompletableFuture<T> landed = new CompletableFuture<>();
    private final Callable<? extends T> work;
    private final BiConsumer<Flight<T>, Boolean> beforeLanding;
    private volatile @Nullable Thread upstream;
    private final FutureTask<@Nullable Void> task = new FutureTask<>(this::run, null);

    /** Tells, before anybody gets the result, that it is over, and whether it went well. */
    Flight(Callable<? extends T> work, BiConsumer<Flight<T>, Boolean> beforeLanding) {
        this.work = work;
        this.beforeLanding = beforeLanding;
    }

    void start(Executor executor) {
        executor.execute(task);
    }

    @SuppressWarnings("CatchingUnchecked") // whatever it is, everybody who waits gets it
    private void run() {
        upstream = Thread.currentThread();
        T value;
        try {
            value = work.call();
        } catch (Throwable thrown) {
            beforeLanding.accept(this, false);
            landed.completeExceptionally(thrown);
            return;
        }
        beforeLanding.accept(this, true);
        landed.complete(value);
    }

    /** False when everybody has left: it is being interrupted, and its end is worth nothing. */
    boolean join() {
        return waiting.getAndUpdate(number -> number == 0 ? 0 : number + 1) > 0;
    }

    /** True for the last one. */
    boolean leave() {
        return waiting.decrementAndGet() == 0;
    }

    void cancel() {
        task.cancel(true);
    }

    void crash(Throwable thrown) {
        landed.completeExceptionally(thrown);
    }

    boolean runsInThisThread() {
        return upstream == Thread.currentThread();
    }

    CompletableFuture<T> landed() {
        return landed;
    }
}
