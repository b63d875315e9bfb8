package dev.idem;

import dev.idem.internal.Calls;
import dev.idem.internal.Engine;
import dev.idem.internal.Ids;
import dev.idem.internal.Plan;
import dev.idem.spi.Labels;
import dev.idem.spi.Transactional;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A call of an operation, as far as it has been declared. Immutable: every method gives a new one, so a part that many
 * calls have in common may be kept and used by all threads.
 *
 * @param <T> what the action returns
 */
public final class Operation<T extends @Nullable Object> {
    private final Engine engine;
    private final Plan plan;

    Operation(Engine engine, Plan plan) {
        this.engine = engine;
        this.plan = plan;
    }

    /** Where keys are unique: a task, a request, a tenant; {@code default} unless told. */
    public Operation<T> scope(String scope) {
        return with(copy -> copy.scope = scope);
    }

    /** A key given by the caller: 1–255 visible ASCII characters. */
    public Operation<T> key(String key) {
        // Most calls come by here: no lambda.
        Plan copy = plan.copy();
        copy.key = key;
        return new Operation<>(engine, copy);
    }

    /**
     * A key made of an id that somebody already has, of a request, an event or an item: any text but the empty one. An id
     * that can't be a key is hashed for it, and kept as the label {@code id}.
     *
     * @throws IllegalArgumentException if it is empty
     */
    public Operation<T> id(String id) {
        return new Operation<>(engine, Ids.with(plan, id));
    }

    /**
     * The fields that make it this operation, as a map, a record or another listed type. Without a given key, the key
     * is derived from them; with one, they guard it against being used for something else.
     *
     * @param identity the fields, which are read whenever it is run; or an {@link dev.idem.internal.key.Identity} of them, which
     *     spares many runs of the same operation from working it out again
     */
    public Operation<T> identity(@Nullable Object identity) {
        return with(copy -> {
            copy.identity = identity;
            copy.hasIdentity = true;
        });
    }

    /**
     * Fields that a model may reword without making it another operation.
     *
     * @param content the fields, which are read whenever it is run; or a {@link dev.idem.internal.key.Content} of them
     */
    public Operation<T> content(@Nullable Object content) {
        return with(copy -> {
            copy.content = content;
            copy.hasContent = true;
        });
    }

    /** For a deliberate repeat: the second, third … time the same thing is meant to happen. */
    public Operation<T> occurrence(int number) {
        if (number < 1) {
            throw new IllegalArgumentException("occurrences are counted from 1, not " + number);
        }
        return with(copy -> copy.occurrence = number);
    }

    /**
     * A searchable, non-secret name and value on the entry.
     *
     * @param name 1–64 letters, digits, dots, dashes and underscores
     * @param value at most 255 characters
     */
    public Operation<T> label(String name, String value) {
        Labels.require(name, value);
        return with(copy -> {
            Map<String, String> labels = new TreeMap<>(copy.labels);
            labels.put(name, value);
            copy.labels = labels;
        });
    }

    /**
     * The type of the result.
     *
     * @throws IllegalArgumentException when results of this type could not be replayed: nothing could read them back
     */
    public <R> Operation<R> returning(Class<R> type) {
        return of(type);
    }

    /**
     * The type of the result, with its arguments.
     *
     * @throws IllegalArgumentException when results of this type could not be replayed: nothing could read them back
     */
    public <R extends @Nullable Object> Operation<R> returning(TypeRef<R> type) {
        return of(type.type());
    }

    @SuppressWarnings("TypeParameterUnusedInFormals") // the two callers have it in theirs
    private <R extends @Nullable Object> Operation<R> of(Type type) {
        engine.settings().codecs().require(type);
        Plan copy = plan.copy();
        copy.type = type;
        return new Operation<>(engine, copy);
    }

    /** How the call is treated. What the policy sets wins over what was set before, as {@link Policy#over} says. */
    public Operation<T> policy(Policy policy) {
        Policy over = policy.over(plan.policy);
        return with(copy -> copy.policy = over);
    }

    /** Asks the outside world about an entry in doubt, once the doubted attempt can no longer act. */
    public Operation<T> probe(Probe<? extends T> probe) {
        return with(copy -> copy.probe = probe);
    }

    /**
     * Calls the observer with the origin of the value before {@link #run} returns it: whether it is a replay, when the
     * action ran, and the warnings, which are logged where there is no observer. An exception of the observer is logged
     * and does not reach the caller.
     */
    public Operation<T> observe(Consumer<? super Provenance> observer) {
        return with(copy -> copy.observer = observer);
    }

    /** What is done up to the point of no return. Whatever it throws, nothing has happened. */
    public <P extends @Nullable Object, Y extends Exception> PreparedOperation<P, T, Y> prepare(
            Preparation<P, Y> preparation) {
        return new PreparedOperation<>(engine, plan, preparation);
    }

    /**
     * The action writes rows into the ledger's own database, through a connection of the ledger's: they and the entry
     * are in one transaction.
     *
     * @param type what the action writes through, such as {@code java.sql.Connection.class}
     * @throws IllegalStateException when the ledger has no such transactions
     */
    public <C> TransactedOperation<C, T> inTransaction(Class<C> type) {
        return new TransactedOperation<>(engine, plan, engine.transactional(type), null);
    }

    /**
     * The action writes rows into the ledger's own database, through the caller's connection: they and the entry are in
     * one transaction, which Idem commits. Autocommit must be off, and nothing uncommitted on it.
     *
     * @throws IllegalStateException when the ledger has no transactions on such connections
     */
    @SuppressWarnings("unchecked") // the ledger's type of connection is one that this one is an instance of
    public <C> TransactedOperation<C, T> inTransactionOn(C connection) {
        return new TransactedOperation<>(
                engine, plan, (Transactional<C>) engine.transactionalOn(connection), connection);
    }

    /**
     * Runs the action once, or gives the value of the run there was.
     *
     * @throws X what the action throws, with the doubt as a suppressed exception where there is one
     * @throws dev.idem.IdemException when there is no value to give; it says why, and what to do next
     */
    public <X extends Exception> T run(Action<? extends T, X> action) throws X {
        return Calls.<T, X>value(plan, attempt(action));
    }

    /** Runs an action that returns nothing. */
    @SuppressWarnings("NullAway") // null is the only value of a nullable Void
    public <X extends Exception> void perform(VoidAction<X> action) throws X {
        Plan copy = plan.copy();
        copy.type = Void.class;
        new Operation<@Nullable Void>(engine, copy).<X>run(call -> {
            action.run(call);
            return null;
        });
    }

    /**
     * Like {@link #run}, but every way a call can end is a value: what the action throws, and a key or an identity that
     * can't be used, which is {@link Outcome.Failed} since nothing ran.
     *
     * @throws dev.idem.LedgerException when the ledger can't answer; nothing ran unless it is an {@link
     *     dev.idem.UnrecordedException}
     */
    public Outcome<T> attempt(Action<? extends T, ?> action) {
        return Calls.attempt(engine, plan, Calls.work(action));
    }

    /** Like {@link #run}, in another thread. The calls it makes are nested in those around this one. */
    public CompletableFuture<T> runAsync(Action<? extends T, ?> action) {
        return Calls.async(engine, plan, () -> attempt(action));
    }

    private Operation<T> with(Consumer<Plan> change) {
        Plan copy = plan.copy();
        change.accept(copy);
        return new Operation<>(engine, copy);
    }
}
