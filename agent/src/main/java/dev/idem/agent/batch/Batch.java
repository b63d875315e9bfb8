package dev.idem.agent.batch;

import dev.idem.Idem;
import dev.idem.Operation;
import dev.idem.Policy;
import dev.idem.Reworded;
import dev.idem.SideEffect;
import dev.idem.TypeRef;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Runs many items, each once.
 *
 * <pre>{@code
 * BatchReport report = Batch.of(idem, "job-7")
 *         .policy(Policy.idempotent())
 *         .run(tickets, Ticket::id, (ticket, call) -> model.summarise(ticket));
 * }</pre>
 *
 * <p>Every item is an operation in the ledger. The job is its scope, and its id is its key. To resume a killed run, run
 * the job again: complete items are skipped, failed items are tried again. An item that ran when the process died is in
 * doubt. It runs again only if its {@link #policy} declares that safe, or if a probe finds that nothing happened; else it
 * is reported.
 *
 * <p>Immutable and thread-safe: every method returns a new batch.
 *
 * @param <T> the result of an item
 */
public final class Batch<T extends @Nullable Object> {
    private static final String OPERATION = "batch_item";

    private final Operation<T> operation;
    private final BatchPlan plan;
    private final Consumer<? super ItemOutcome<?, T>> watcher;

    private Batch(Operation<T> operation, BatchPlan plan, Consumer<? super ItemOutcome<?, T>> watcher) {
        this.operation = operation;
        this.plan = plan;
        this.watcher = watcher;
    }

    /**
     * A batch in this ledger.
     *
     * @param job names the job, and is the scope of its items. A later run with the same name resumes it
     */
    public static Batch<@Nullable Object> of(Idem idem, String job) {
        Operation<@Nullable Object> item =
                idem.operation(OPERATION).scope(job).policy(Policy.unset().onReworded(Reworded.CONFLICT));
        return new Batch<>(item, new BatchPlan(job), outcome -> {});
    }

    /** Sets the type of an item's result. Call it before {@link #onOutcome}. */
    public <R> Batch<R> returning(Class<R> type) {
        return new Batch<>(operation.returning(type), plan, outcome -> {});
    }

    /** Sets the type of an item's result. Call it before {@link #onOutcome}. */
    public <R extends @Nullable Object> Batch<R> returning(TypeRef<R> type) {
        return new Batch<>(operation.returning(type), plan, outcome -> {});
    }

    /**
     * Sets how many items run at once; 8 by default.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public Batch<T> concurrency(int items) {
        if (items < 1) {
            throw new IllegalArgumentException("at least one item is worked on at a time, not " + items);
        }
        return with(copy -> copy.concurrency = items);
    }

    /**
     * Sets how items are treated: side effect, time limit, retention. {@link SideEffect#IDEMPOTENT} items run again after
     * a crash or an ambiguous failure. By default an item is a WRITE, and an id that comes back with another item is a
     * conflict; {@code Policy.unset().onReworded(Reworded.WARN)} lets an item change between two runs.
     *
     * @throws IllegalArgumentException for a READ: the ledger does not record it, so that a restart could skip nothing
     */
    public Batch<T> policy(Policy policy) {
        if (policy.sideEffect() == SideEffect.READ) {
            throw new IllegalArgumentException("a READ is not recorded, so a restart could skip nothing. Declare work "
                    + "that may run twice as IDEMPOTENT: then each item's result is kept");
        }
        return with(copy -> copy.policy = policy.over(copy.policy)).each(op -> op.policy(policy));
    }

    /** Changes the operation of each item: adds a probe or labels. */
    public Batch<T> each(UnaryOperator<Operation<T>> declaration) {
        return new Batch<>(declaration.apply(operation), plan, watcher);
    }

    /**
     * Starts no more items after this many have failed or are in doubt; there is no limit by default.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public Batch<T> stopAfter(long troubles) {
        if (troubles < 1) {
            throw new IllegalArgumentException("a run stops after one trouble at the earliest, not " + troubles);
        }
        return with(copy -> copy.mostTroubles = troubles);
    }

    /** Shows the progress on stderr; see {@link ProgressLine#onStderr()}. */
    public Batch<T> showProgress() {
        return progress(ProgressLine.onStderr());
    }

    /** Sets the view of the progress; none by default. */
    public Batch<T> progress(ProgressView view) {
        return with(copy -> copy.view = view);
    }

    /**
     * Sets a consumer that gets the outcome of each item, in the thread of the item. Use it to collect values. An exception
     * that it throws ends the run.
     */
    public Batch<T> onOutcome(Consumer<? super ItemOutcome<?, T>> listener) {
        return new Batch<>(operation, plan, listener);
    }

    /**
     * Runs the items. Each runs once over all runs of this job.
     *
     * @param items without null. Two items with the same id are one item. If their JSON forms differ, the second one fails
     *     as a conflict and does not run
     * @param idOf gives the stable id of an item, the same in every run. An id that can't be a key (spaces, other
     *     alphabets, more than 255 characters) is hashed, and kept as the label {@code id}
     * @throws IllegalArgumentException if an item is null: no more items are started
     * @throws dev.idem.LedgerException if the ledger can't be reached or read: no more items are started
     */
    public <I> BatchReport run(
            Iterable<? extends I> items, Function<? super I, String> idOf, ItemAction<? super I, ? extends T> work) {
        return new BatchRun<I, T>(operation, plan, watcher, idOf, work).run(items);
    }

    /** Like {@link #run}, for items without a result. */
    @SuppressWarnings("NullAway") // the value is not used, and null fits every type
    public <I> BatchReport perform(
            Iterable<? extends I> items, Function<? super I, String> idOf, ItemTask<? super I> work) {
        return this.<I>run(items, idOf, (item, call) -> {
            work.run(item, call);
            return null;
        });
    }

    private Batch<T> with(Consumer<BatchPlan> change) {
        BatchPlan copy = plan.copy();
        change.accept(copy);
        return new Batch<>(operation, copy, watcher);
    }
}
