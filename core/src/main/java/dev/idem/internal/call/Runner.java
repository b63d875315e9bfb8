package dev.idem.internal.call;

import dev.idem.Call;
import dev.idem.internal.codec.Unfinished;
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
            return CompletableFuture.completedFuture(result(work.act(call), call));
        }
    }

    /** Starts an action whose stage completes later. */
    record Starting<T extends @Nullable Object>(Work<? extends CompletionStage<? extends T>> work)
            implements Runner<T> {
        @Override
        public CompletionStage<? extends T> read(Call call) throws Exception {
            return work.act(call).thenApply(value -> result(value, call));
        }
    }

    /**
     * The value of an action, if it is a result. Otherwise the call is in doubt, whatever its classifiers say: the work may
     * go on, and nothing tells how it ends.
     *
     * @throws IllegalStateException if it is a future or the like
     */
    static <V extends @Nullable Object> V result(V value, Call call) {
        String unfinished = Unfinished.named(value);
        if (unfinished == null) {
            return value;
        }
        var refused = new IllegalStateException("the action of '"
                + call.address().operation() + "' returned "
                + unfinished + ", which is no result yet: its work may not have ended, and nothing would tell how it"
                + " ends. Get its value inside the action and return that, or call attemptStage, which settles the call"
                + " when a stage completes");
        call.ambiguous(refused);
        throw refused;
    }

    /** Stages wrap the exceptions of the stages before them. */
    static Throwable unwrapped(Throwable thrown) {
        Throwable cause = thrown.getCause();
        return thrown instanceof CompletionException && cause != null ? cause : thrown;
    }
}
