package dev.idem.internal.call;

import dev.idem.Action;
import dev.idem.Call;
import dev.idem.Entry;
import dev.idem.internal.wait.WaitingAction;
import dev.idem.spi.Transactional;
import org.jspecify.annotations.Nullable;

/** The code of a call in two steps: a preparation without side effects, then the action. */
public interface Work<T extends @Nullable Object> {
    /** The call has to wait. */
    default void waits() {}

    /** Whether it is the next round of the attempt that left this entry in doubt. */
    default boolean resumes(Entry doubted) {
        return false;
    }

    /** Whether there is a preparation. */
    default boolean prepares() {
        return false;
    }

    /** Prepares. An exception proves that nothing happened. */
    default void prepare() throws Exception {}

    /** Acts. From here on the effect may have happened. */
    T act(Call call) throws Exception;

    /** The open transaction of the action; null when there is none. */
    default Transactional.@Nullable Transaction<?> transaction() {
        return null;
    }

    /** An action in one step. */
    static <T extends @Nullable Object> Work<T> of(Action<? extends T, ?> action) {
        return new Work<T>() {
            @Override
            public void waits() {
                if (action instanceof WaitingAction<?, ?> waiting) {
                    waiting.onWait().run();
                }
            }

            @Override
            public boolean resumes(Entry doubted) {
                return action instanceof WaitingAction<?, ?> waiting
                        && waiting.resumes().test(doubted);
            }

            @Override
            public T act(Call call) throws Exception {
                return action.run(call);
            }
        };
    }
}
