package dev.idem.internal;

import dev.idem.Action;
import dev.idem.Call;
import dev.idem.Outcome;
import dev.idem.WaitInterruptedException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
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
            return engine.run(plan, work);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            var interrupted =
                    new WaitInterruptedException(Subject.of(plan, engine).address(), e);
            engine.threw(interrupted);
            throw interrupted;
        }
    }

    /**
     * The outcome if it has a value.
     *
     * @throws X what the action threw
     */
    @SuppressWarnings("unchecked") // what is not unchecked was thrown by the action, which throws X
    public static <T extends @Nullable Object, X extends Exception> Outcome.Valued<T> valued(Outcome<T> outcome)
            throws X {
        if (outcome instanceof Outcome.Valued<T> valued) {
            return valued;
        }
        Throwable why = outcome.why().orElseThrow();
        if (why instanceof Error error) {
            throw error;
        }
        throw (X) why;
    }

    /** Runs the call in the engine's executor, nested in the operation around the calling code. */
    public static <T extends @Nullable Object> CompletableFuture<Outcome.Valued<T>> async(
            Engine engine, Supplier<Outcome<T>> call) {
        var future = new CompletableFuture<Outcome.Valued<T>>();
        Frame around = Frame.current();
        Map<String, String> labels = AmbientLabels.current();
        engine.settings
                .async()
                .execute(() -> AmbientLabels.inside(
                        labels,
                        () -> Frame.inside(around, () -> {
                            try {
                                Outcome<T> outcome = call.get();
                                if (outcome instanceof Outcome.Valued<T> valued) {
                                    future.complete(valued);
                                } else {
                                    future.completeExceptionally(outcome.why().orElseThrow());
                                }
                            } catch (Throwable thrown) {
                                future.completeExceptionally(thrown);
                            }
                        })));
        return future;
    }
}
