package dev.idem.agent.internal;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** One running call and the number of its waiters. It is interrupted when the last waiter leaves. */
final class SharedCall<T extends @Nullable Object> {
    private final AtomicInteger waiting = new AtomicInteger(1);
    private final CompletableFuture<T> landed = new CompletableFuture<>();
    private final Callable<? extends T> work;
    private final BiConsumer<SharedCall<T>, Boolean> beforeLanding;
    private volatile @Nullable Thread worker;
    private final FutureTask<@Nullable Void> task = new FutureTask<>(this::run, null);

    /**
     * @param beforeLanding is called before any waiter gets the result; the flag says whether the call returned
     */
    SharedCall(Callable<? extends T> work, BiConsumer<SharedCall<T>, Boolean> beforeLanding) {
        this.work = work;
        this.beforeLanding = beforeLanding;
    }

    void start(Executor executor) {
        executor.execute(task);
    }

    @SuppressWarnings("CatchingUnchecked") // every waiter gets the exception
    private void run() {
        worker = Thread.currentThread();
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

    /** Adds a waiter; false when all waiters have left and the call is being interrupted. */
    boolean join() {
        return waiting.getAndUpdate(number -> number == 0 ? 0 : number + 1) > 0;
    }

    /** Removes a waiter; true for the last one. */
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
        return worker == Thread.currentThread();
    }

    CompletableFuture<T> landed() {
        return landed;
    }
}
