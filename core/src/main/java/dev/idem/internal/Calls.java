package dev.idem.internal;

import dev.idem.Action;
import dev.idem.Call;
import dev.idem.Outcome;
import dev.idem.Provenance;
import dev.idem.WaitInterruptedException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The forms a call comes in: blocking, as a value, in another thread. */
public final class Calls {
    private Calls() {}

    /** An action in one step. */
    public static <T extends @Nullable Object> Work<T> work(Action<? extends T, ?> action) {
        return new Work<T>() {
            @Override
            public T act(Call call) throws Exception {
                return action.run(call);
            }
        };
    }

    public static <T extends @Nullable Object> Outcome<T> attempt(Engine engine, Plan plan, Work<T> work) {
        try {
            return observed(plan, engine.run(plan, work));
        } catch (InterruptedException e) {
            throw interrupted(engine, plan, e);
        }
    }

    /** Starts a call in this thread. All failures are in the future. */
    public static <T extends @Nullable Object> CompletableFuture<Outcome<T>> start(
            Engine engine, Plan plan, Action<? extends CompletionStage<? extends T>, ?> action) {
        try {
            if (plan.policy.isInterruptible()) {
                throw new IllegalStateException("the policy of operation '" + plan.operation
                        + "' is interruptible, but attemptStage has no thread to interrupt: leave interruptible() out."
                        + " Nothing ran");
            }
            return engine.<T>start(plan, work(action)).thenApply(outcome -> observed(plan, outcome));
        } catch (InterruptedException e) {
            return CompletableFuture.failedFuture(interrupted(engine, plan, e));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static WaitInterruptedException interrupted(Engine engine, Plan plan, InterruptedException cause) {
        Thread.currentThread().interrupt();
        var interrupted = new WaitInterruptedException(Subject.of(plan, engine).address(), cause);
        engine.threw(Frame.current(), interrupted);
        return interrupted;
    }

    private static <T extends @Nullable Object> Outcome<T> observed(Plan plan, Outcome<T> outcome) {
        if (plan.observer != null && outcome instanceof Outcome.Valued<T> valued) {
            show(plan.observer, valued.provenance());
        }
        return outcome;
    }

    private static void show(Consumer<? super Provenance> observer, Provenance provenance) {
        try {
            observer.accept(provenance);
        } catch (RuntimeException e) {
            Log.warn(() -> "the observer of " + provenance.address() + " threw; the call is not affected", e);
        }
    }

    /**
     * Gives the value of the outcome.
     *
     * @throws X what the action threw
     */
    @SuppressWarnings("unchecked") // a checked exception can only be the action's, which throws X
    public static <T extends @Nullable Object, X extends Exception> T value(Outcome<T> outcome) throws X {
        if (outcome instanceof Outcome.Valued<T> valued) {
            return valued.value();
        }
        Throwable failure = Objects.requireNonNull(outcome.failure());
        if (failure instanceof Error error) {
            throw error;
        }
        throw (X) failure;
    }

    /** Runs the call in the engine's executor, nested in the operation around the calling code. */
    public static <T extends @Nullable Object> CompletableFuture<T> async(
            Engine engine, Plan plan, Supplier<Outcome<T>> call) {
        var future = new CompletableFuture<T>();
        Frame around = Frame.current();
        Map<String, String> labels = AmbientLabels.current();
        engine.settings
                .async()
                .execute(() -> AmbientLabels.inside(
                        labels,
                        () -> Frame.inside(around, () -> {
                            try {
                                future.complete(value(call.get()));
                            } catch (Throwable thrown) {
                                future.completeExceptionally(thrown);
                            }
                        })));
        return future;
    }
}
