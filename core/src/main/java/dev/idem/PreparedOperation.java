package dev.idem;

import dev.idem.internal.Calls;
import dev.idem.internal.Engine;
import dev.idem.internal.Plan;
import dev.idem.internal.Work;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A call in two steps, with the point of no return between them.
 *
 * @param <P> what the first step prepares
 * @param <T> what the action returns
 * @param <Y> what the first step throws
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

    /** Runs both steps once, or gives the value of the run there was. See {@link Operation#run}. */
    public <X extends Exception> T run(PreparedAction<? super P, ? extends T, X> action) throws X, Y {
        return Calls.<T, X>value(plan, attempt(action));
    }

    /** Every way a call can end as a value. See {@link Operation#attempt}. */
    public Outcome<T> attempt(PreparedAction<? super P, ? extends T, ?> action) {
        return Calls.attempt(engine, plan, new TwoSteps(action));
    }

    /** Both steps in another thread. See {@link Operation#runAsync}. */
    public CompletableFuture<T> runAsync(PreparedAction<? super P, ? extends T, ?> action) {
        return Calls.async(engine, plan, () -> attempt(action));
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
