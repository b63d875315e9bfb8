package dev.idem;

import dev.idem.internal.call.Engine;
import dev.idem.internal.call.Plan;
import dev.idem.internal.call.Work;
import dev.idem.spi.Labels;
import dev.idem.spi.Transactional;
import java.lang.reflect.Type;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The declaration of one call: its key, its result type and its policy. {@link #run} runs the action or replays its
 * result.
 *
 * <pre>{@code
 * Operation<String> charge = idem.operation("charge")
 *         .policy(Policy.write().timeLimit(Duration.ofSeconds(5)))
 *         .returning(String.class);
 *
 * String receipt = charge.identity(Map.of("order", "o-7")).run(call -> payments.charge("o-7", call.key()));
 * }</pre>
 *
 * <p>Immutable and thread-safe: every method returns a new declaration, so many calls can share a common part. {@link
 * Policy} states the defaults of its options.
 *
 * @param <T> the type of the result
 */
public final class Operation<T extends @Nullable Object> {
    private final Engine engine;
    private final Plan plan;

    Operation(Engine engine, Plan plan) {
        this.engine = engine;
        this.plan = plan;
    }

    /**
     * Sets the scope in which keys are unique: a task, a request, a tenant. Default: {@code default}.
     *
     * @throws IllegalArgumentException if it is blank: all callers without a name would be one
     */
    public Operation<T> scope(String scope) {
        return with(plan.withScope(scope));
    }

    /** Sets the key: 1–255 visible ASCII characters. {@link #run} refuses another text with an exception. */
    public Operation<T> key(String key) {
        return with(plan.withKey(key));
    }

    /**
     * Makes the key from an existing id of a request, an event or an item. The id may be any text that is not empty.
     * An id that can't be a key is hashed, and stays readable in the label {@code id}.
     *
     * @throws IllegalArgumentException if the id is empty
     */
    public Operation<T> id(String id) {
        return with(plan.withId(id));
    }

    /**
     * Sets the fields that identify the operation, as a map, a record or another type with a JSON form. Without a key,
     * the key is derived from these fields. With a key, a later call with the same key and other fields is a {@link
     * ConflictException}. The entry shows the fields as labels, except those whose names look like secrets; see {@link
     * IdemBuilder#keepDetails}.
     *
     * @param identity the fields, which every run reads again
     */
    public Operation<T> identity(@Nullable Object identity) {
        return with(plan.withIdentity(identity));
    }

    /**
     * Sets the fields that may be reworded, for instance by a model, while the operation stays the same. {@link
     * Policy#onReworded()} decides about a duplicate with other content.
     *
     * @param content the fields, which every run reads again
     */
    public Operation<T> content(@Nullable Object content) {
        return with(plan.withContent(content));
    }

    /**
     * Sets the number of a deliberate repeat: 2 for the second time that the same operation should happen. Default: 1.
     *
     * @throws IllegalArgumentException unless the number is positive
     */
    public Operation<T> occurrence(int number) {
        if (number < 1) {
            throw new IllegalArgumentException("occurrences are counted from 1, not " + number);
        }
        return with(plan.withOccurrence(number));
    }

    /**
     * Adds a label to the entry: a name and a value to search for. Labels must not hold secrets.
     *
     * @param name 1–64 letters, digits, dots, dashes and underscores
     * @param value at most 255 characters
     * @throws IllegalArgumentException when the name or the value has another form
     */
    public Operation<T> label(String name, String value) {
        Labels.require(name, value);
        return with(plan.withLabel(name, value));
    }

    /**
     * Sets the type as which results are read back. Without it results are text, numbers, booleans, bytes, maps and
     * lists: a record comes back as a map, an {@code Integer} as a {@code Long}. Records, and types with a {@link Codec},
     * can be declared.
     *
     * @throws IllegalArgumentException when results of this type could not be replayed: nothing could read them back
     */
    public <R> Operation<R> returning(Class<R> type) {
        return of(type);
    }

    /**
     * As {@link #returning(Class)}, for a type with arguments: {@code new TypeRef<List<Receipt>>() {}}.
     *
     * @throws IllegalArgumentException when results of this type could not be replayed: nothing could read them back
     */
    public <R extends @Nullable Object> Operation<R> returning(TypeRef<R> type) {
        return of(type.type());
    }

    @SuppressWarnings("TypeParameterUnusedInFormals") // the two callers have it in theirs
    private <R extends @Nullable Object> Operation<R> of(Type type) {
        engine.codecs().require(type);
        return new Operation<>(engine, plan.withType(type));
    }

    /** Sets the options of the call. They win over options that were set before; see {@link Policy#over}. */
    public Operation<T> policy(Policy policy) {
        return with(plan.withPolicy(policy.over(plan.policy())));
    }

    /** Sets the probe that finds out whether an entry in doubt took effect. Default: none. */
    public Operation<T> probe(Probe<? extends T> probe) {
        return with(plan.withProbe(probe));
    }

    /**
     * Calls the observer with the origin of the value before {@link #run} returns it: whether it is a replay, when the
     * action ran, and the warnings, which are also logged. An exception of the observer is logged and does not reach
     * the caller.
     */
    public Operation<T> observe(Consumer<? super Provenance> observer) {
        return with(plan.withObserver(observer));
    }

    /**
     * Adds a preparation: a first step without side effects. When it throws, the entry has failed and may run again.
     */
    public <P extends @Nullable Object, Y extends Exception> PreparedOperation<P, T, Y> prepare(
            Preparation<P, Y> preparation) {
        return new PreparedOperation<>(engine, plan, preparation);
    }

    /**
     * Runs the action in a database transaction of the ledger: the rows of the action and the entry are committed
     * together.
     *
     * @param type the type of the connection, such as {@code java.sql.Connection.class}
     * @throws IllegalStateException when the ledger has no such transactions
     */
    public <C> TransactedOperation<C, T> inTransaction(Class<C> type) {
        return new TransactedOperation<>(engine, plan, engine.transactions().ofType(type), null);
    }

    /**
     * Runs the action in a transaction on the caller's connection to the ledger's database: the rows of the action and
     * the entry are committed together. Idem commits. Autocommit must be off, and the connection must have no
     * uncommitted changes.
     *
     * @throws IllegalStateException when the ledger has no transactions on such connections
     */
    @SuppressWarnings("unchecked") // the ledger's type of connection is one that this one is an instance of
    public <C> TransactedOperation<C, T> inTransactionOn(C connection) {
        return new TransactedOperation<>(
                engine, plan, (Transactional<C>) engine.transactions().on(connection), connection);
    }

    /**
     * Runs the action, or returns the stored value where the operation is already complete.
     *
     * <p>The value has to be there when the action returns. A future, a publisher, a stream, an iterator, a {@code
     * Supplier} or a {@code Callable} is refused, also in an optional or a collection, and the entry is then in doubt. For
     * an action that ends later than it returns, use {@link #attemptStage}.
     *
     * @throws X the exception of the action. Where the entry is now in doubt, an {@link InDoubtException} is
     *     attached to it as a suppressed exception
     * @throws dev.idem.IdemException when there is no value to return; the message says why and what to do next
     */
    public <X extends Exception> T run(Action<? extends T, X> action) throws X {
        return Engine.<T, X>value(attempt(action));
    }

    /**
     * Runs an action without a result. It throws the same exceptions as {@link #run}.
     *
     * <p>The value of a lambda such as {@code call -> client.sendAsync(...)} is dropped unseen, so the entry is complete
     * before that work has ended. Wait for the work inside the action, or use {@link #attemptStage}.
     */
    @SuppressWarnings("NullAway") // null is the only value of a nullable Void
    public <X extends Exception> void perform(VoidAction<X> action) throws X {
        new Operation<@Nullable Void>(engine, plan.withType(Void.class)).<X>run(call -> {
            action.run(call);
            return null;
        });
    }

    /**
     * Like {@link #run}, but returns every end of the call as an {@link Outcome}, also an exception of the action. An
     * invalid key or identity is {@link Outcome.Failed}, since the action did not run.
     *
     * @throws dev.idem.LedgerException when the ledger can't answer. The action did not run, except with an {@link
     *     dev.idem.UnrecordedException}
     * @throws IllegalStateException when the operation has neither a key nor an identity, or Idem is closed
     */
    public Outcome<T> attempt(Action<? extends T, ?> action) {
        return engine.attempt(plan, Work.of(action));
    }

    /**
     * Like {@link #attempt}, but for an action that ends later than it returns: the call is settled when the stage of
     * the action completes, in the thread that completes it. The claim, the wait for a duplicate and the start of the
     * action happen in this thread.
     *
     * <pre>{@code
     * idem.operation("charge").key("order-7").returning(Receipt.class)
     *         .attemptStage(call -> client.sendAsync(request, receiptHandler).thenApply(HttpResponse::body));
     * }</pre>
     *
     * A stage that fails is judged as an exception of the action. A stage that never completes leaves the entry in
     * doubt once the time limit and the lease are over. Calls made by later stages are not nested in this one.
     *
     * @return completes exceptionally where {@link #attempt} throws
     */
    public CompletableFuture<Outcome<T>> attemptStage(Action<? extends CompletionStage<? extends T>, ?> action) {
        return engine.start(plan, action);
    }

    /**
     * Like {@link #run}, but in another thread, the one of {@link IdemBuilder#executor}. Calls inside the action count
     * as nested in the operations around this call. A call that has not begun when Idem is closed is refused.
     */
    public CompletableFuture<T> runAsync(Action<? extends T, ?> action) {
        return engine.async(() -> attempt(action));
    }

    /**
     * The entry of this call, if there is one. Nothing runs.
     *
     * @throws dev.idem.LedgerException when the ledger can't answer
     */
    public Optional<Entry> find() {
        return engine.find(plan);
    }

    private Operation<T> with(Plan changed) {
        return new Operation<>(engine, changed);
    }
}
