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
 * Many items, each once: {@code Batch.of(idem, "job-7").run(items, idOf, work)}.
 *
 * <p>Every item is an operation in the ledger, with the job as its scope and its id as its key. A run that was killed is
 * simply run again: what is complete is skipped, what failed is tried again. What was under way when the process died is
 * in doubt: it is run again only if it was declared safe ({@link #policy}), or when a probe found
 * that it had not happened; else it is reported.
 *
 * <p>Immutable: every method gives a new one.
 *
 * @param <T> what is kept of each item
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
     * @param job names the job, and is the scope of its items: the same job again is the same items again
     */
    public static Batch<@Nullable Object> of(Idem idem, String job) {
        Operation<@Nullable Object> item =
                idem.operation(OPERATION).scope(job).policy(Policy.unset().onReworded(Reworded.CONFLICT));
        return new Batch<>(item, new BatchPlan(job), outcome -> {});
    }

    /** What is kept of each item has this type. To be said before {@link #onOutcome}, which is given it. */
    public <R> Batch<R> returning(Class<R> type) {
        return new Batch<>(operation.returning(type), plan, outcome -> {});
    }

    /** What is kept of each item has this type. To be said before {@link #onOutcome}, which is given it. */
    public <R extends @Nullable Object> Batch<R> returning(TypeRef<R> type) {
        return new Batch<>(operation.returning(type), plan, outcome -> {});
    }

    /** How many items are worked on at once; 8 unless told. */
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

    /** Begins no more items after this many have failed or are in doubt: a wrong password fails 100,000 times. */
    public Batch<T> stopAfter(long troubles) {
        if (troubles < 1) {
            throw new IllegalArgumentException("a run stops after one trouble at the earliest, not " + troubles);
        }
        return with(copy -> copy.mostTroubles = troubles);
    }

    /** Shows how far it has come on stderr; see {@link ProgressLine#onStderr()}. */
    public Batch<T> showProgress() {
        return progress(ProgressLine.onStderr());
    }

    /** Shows how far it has come; nothing unless told. */
    public Batch<T> progress(ProgressView view) {
        return with(copy -> copy.view = view);
    }

    /**
     * Is told how each item ended, from the thread that worked on it: the place to collect values. What it throws ends
     * the run.
     */
    public Batch<T> onOutcome(Consumer<? super ItemOutcome<?, T>> told) {
        return new Batch<>(operation, plan, told);
    }

    /**
     * Goes through the items and does each once, over all runs of this job.
     *
     * @param items without null. Two that share an id are one item; if they also differ, the second fails as a conflict
     *     and does not run. They are compared by their JSON form, where they have one
     * @param idOf the stable id of an item: the same in every run. What is no key by itself (spaces, other alphabets,
     *     more than 255 characters) becomes one by its digest, and is kept as the label {@code id}
     * @throws IllegalArgumentException when an item is null: no more items are begun
     * @throws dev.idem.LedgerException when the ledger can't be reached or read: no more items are begun
     */
    public <I> BatchReport run(
            Iterable<? extends I> items, Function<? super I, String> idOf, ItemAction<? super I, ? extends T> work) {
        return new BatchRun<I, T>(operation, plan, watcher, idOf, work).over(items);
    }

    /** Like {@link #run}, when nothing is to be kept of an item. */
    @SuppressWarnings("NullAway") // nobody asked for a value, and null is one of every type
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
