package dev.idem.internal.wait;

import dev.idem.Action;
import dev.idem.Call;
import org.jspecify.annotations.Nullable;

/**
 * An action, and code that runs when its call has to wait: for another call, or until a probe may be asked.
 *
 * @param onWait runs in the thread of the call before each wait, so perhaps several times; never while the call holds its
 *     entry. An exception of it ends the call
 */
public record WaitingAction<T extends @Nullable Object, X extends Exception>(
        Action<? extends T, X> action, Runnable onWait) implements Action<T, X> {
    @Override
    public T run(Call call) throws X {
        return action.run(call);
    }
}
