package dev.idem.internal;

import dev.idem.Call;
import dev.idem.internal.Guarded.Answer.Ended;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** How the action of a call is run: to its end in this thread, or only started. */
interface Runner<T extends @Nullable Object> {
    /** Runs or starts the action of a granted attempt. */
    CompletableFuture<Ended<T>> run(Attempt<T> attempt);

    /** Whether the action has ended when {@link #run} returns. */
    boolean endsInThisThread();

    /** Runs or starts an action that is not recorded. */
    CompletionStage<? extends T> read(Call call) throws Exception;

    /** Runs an action to its end. */
    static <T extends @Nullable Object> Runner<T> running(Work<T> work) {
        return new Runner<>() {
            @Override
            public CompletableFuture<Ended<T>> run(Attempt<T> attempt) {
                return CompletableFuture.completedFuture(attempt.run(work));
            }

            @Override
            public boolean endsInThisThread() {
                return true;
            }

            @Override
            public CompletionStage<T> read(Call call) throws Exception {
                work.prepare();
                return CompletableFuture.completedFuture(work.act(call));
            }
        };
    }

    /** Starts an action whose stage completes later. */
    static <T extends @Nullable Object> Runner<T> starting(Work<? extends CompletionStage<? extends T>> work) {
        return new Runner<>() {
            @Override
            public CompletableFuture<Ended<T>> run(Attempt<T> attempt) {
                return attempt.start(work);
            }

            @Override
            public boolean endsInThisThread() {
                return false;
            }

            @Override
            public CompletionStage<? extends T> read(Call call) throws Exception {
                return work.act(call);
            }
        };
    }
}
