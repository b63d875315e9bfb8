package dev.idem;

import dev.idem.internal.call.Engine;
import dev.idem.internal.call.Plan;
import dev.idem.internal.call.Work;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The declaration of a call in two steps: a preparation without side effects, then the action. When the preparation
 * throws, or the process dies during it, nothing has happened and the operation may run again.
 *
 * <pre>{@code
 * String receipt = idem.operation("charge")
 *         .key("order-7")
 *         .returning(String.class)
 *         .prepare(() -> carts.total("order-7"))
 *         .run((call, cents) -> payments.charge(cents, call.key()));
 * }</pre>
 *
 * <p>Immutable and thread-safe. Made by {@link Operation#prepare}.
 *
 * @param <P> the type of the prepared value
 * @param <T> the type of the result
 * @param <Y> the exception of the preparation
 */
public final class PreparedOperation<P extends @Nullable Object, T extends @Nullable Object, Y extends Exception> {
    private final Engine engine;
    private final Plan plan;
    private final Preparation<P, Y> preparation;

    PreparedOperation(Engine engine, Plan plan, Preparation<P, Y> preparation) {
        this.engine = engine;
        this.plan = plan;
        this.preparation = preparation;
    }

    /**
     * Runs both steps, or returns the stored value where the operation is already complete.
     *
     * @throws X the exception of the action
     * @throws Y the exception of the preparation
     * @throws IdemException when there is no value to return, as {@link Operation#run} says
     */
    public <X extends Exception> T run(PreparedAction<? super P, ? extends T, X> action) throws X, Y {
        return Engine.<T, X>value(attempt(action));
    }

    /** Runs both steps and returns every end of the call as an {@link Outcome}. See {@link Operation#attempt}. */
    public Outcome<T> attempt(PreparedAction<? super P, ? extends T, ?> action) {
        return engine.attempt(plan, new TwoSteps(action));
    }

    /** Runs both steps in another thread. See {@link Operation#runAsync}. */
    public CompletableFuture<T> runAsync(PreparedAction<? super P, ? extends T, ?> action) {
        return engine.async(() -> attempt(action));
    }

    private final class TwoSteps implements Work<T> {
        private final PreparedAction<? super P, ? extends T, ?> action;
        private @Nullable P prepared;

        TwoSteps(PreparedAction<? super P, ? extends T, ?> action) {
            this.action = action;
        }

        @Override
        public boolean prepares() {
            return true;
        }

        @Override
        public void prepare() throws Exception {
            prepared = preparation.prepare();
        }

        @Override
        @SuppressWarnings("NullAway") // null only where P allows it: prepare() has run
        public T act(Call call) throws Exception {
            return action.run(call, prepared);
        }
    }
}
