package dev.idem.internal.wait;

import dev.idem.Action;
import dev.idem.Call;
import dev.idem.Entry;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An action, and what its call does before the action may run: it waits for another call or a probe, or goes on with an
 * attempt in doubt.
 *
 * @param onWait runs in the thread of the call before each wait, so perhaps several times; never while the call holds its
 *     entry. An exception of it ends the call
 * @param resumes whether the call is the next round of the attempt that left this entry in doubt. Then the action runs, and
 *     the doubt stays
 */
public record WaitingAction<T extends @Nullable Object, X extends Exception>(
        Action<? extends T, X> action, Runnable onWait, Predicate<Entry> resumes) implements Action<T, X> {
    /** An action that resumes nothing. */
    public WaitingAction(Action<? extends T, X> action, Runnable onWait) {
        this(action, onWait, doubted -> false);
    }

    @Override
    public T run(Call call) throws X {
        return action.run(call);
    }
}
