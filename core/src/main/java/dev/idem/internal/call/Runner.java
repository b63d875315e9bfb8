package dev.idem.internal.call;

import dev.idem.Call;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** How the action of a call is run: to its end in this thread, or only started. */
sealed interface Runner<T extends @Nullable Object> {
    Work<?> work();

    /** Runs or starts an action that is not recorded. */
    CompletionStage<? extends T> read(Call call) throws Exception;

    /** Runs an action to its end. */
    record Running<T extends @Nullable Object>(Work<T> work) implements Runner<T> {
        @Override
        public CompletionStage<T> read(Call call) throws Exception {
            work.prepare();
            return CompletableFuture.completedFuture(work.act(call));
        }
    }

    /** Starts an action whose stage completes later. */
    record Starting<T extends @Nullable Object>(Work<? extends CompletionStage<? extends T>> work)
            implements Runner<T> {
        @Override
        public CompletionStage<? extends T> read(Call call) throws Exception {
            return work.act(call);
        }
    }

    /** Stages wrap the exceptions of the stages before them. */
    static Throwable unwrapped(Throwable thrown) {
        Throwable cause = thrown.getCause();
        return thrown instanceof CompletionException && cause != null ? cause : thrown;
    }
}
