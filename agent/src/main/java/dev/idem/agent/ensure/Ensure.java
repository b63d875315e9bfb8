package dev.idem.agent.ensure;

import dev.idem.Idem;
import dev.idem.Operation;
import dev.idem.Preparation;
import dev.idem.TypeRef;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Creates a thing unless it exists.
 *
 * <pre>{@code
 * Ensured<Subscription> subscription = Ensure.of(idem, "create_subscription")
 *         .identity(Map.of("customer", "cus_1", "plan", "pro"))
 *         .returning(Subscription.class)
 *         .unless(() -> billing.find("cus_1", "pro"))
 *         .then(call -> billing.create("cus_1", "pro"));
 * }</pre>
 *
 * <p>The claim covers the look and the creation, so of two agents one looks after the other has created it. Nothing is
 * remembered after the call: each later call looks again, and creates the thing again if it is gone.
 *
 * <p>Immutable and thread-safe: every method returns a new value.
 *
 * @param <T> the thing
 */
public final class Ensure<T> {
    private final Idem idem;
    private final Operation<T> operation;

    private Ensure(Idem idem, Operation<T> operation) {
        this.idem = idem;
        this.operation = operation;
    }

    /**
     * An operation that creates things.
     *
     * @param name a stable id, such as {@code create_subscription}
     */
    public static Ensure<Object> of(Idem idem, String name) {
        return new Ensure<>(idem, idem.operation(name).returning(Object.class));
    }

    /** Sets where identities are unique: a tenant, an account; {@code default} by default. Not a task, since tasks share things. */
    public Ensure<T> scope(String scope) {
        return with(op -> op.scope(scope));
    }

    /** Sets the fields that identify the thing, such as customer and plan. */
    public Ensure<T> identity(@Nullable Object identity) {
        return with(op -> op.identity(identity));
    }

    /** Sets a key of the caller that identifies the thing. */
    public Ensure<T> key(String key) {
        return with(op -> op.key(key));
    }

    /** Sets the type of the thing. */
    public <R> Ensure<R> returning(Class<R> type) {
        return new Ensure<>(idem, operation.returning(type));
    }

    /** Sets the type of the thing, with its type arguments. */
    public <R> Ensure<R> returning(TypeRef<R> type) {
        return new Ensure<>(idem, operation.returning(type));
    }

    /** Changes the operation: its policy, its labels. */
    public Ensure<T> with(UnaryOperator<Operation<T>> declaration) {
        return new Ensure<>(idem, declaration.apply(operation));
    }

    /**
     * Sets the look for the thing. If it throws, nothing is created. A look that gives null, or an Optional with a boolean,
     * zero, NaN, something empty or a value that is not there yet, such as a future, is refused: it does not say whether
     * the thing is there. It is also the probe after a crash or an ambiguous
     * failure: then it is asked only when the earlier attempt can no longer act.
     *
     * @param <Y> the exception of the look
     */
    public <Y extends Exception> Absent<T, Y> unless(Preparation<Optional<T>, Y> look) {
        return new Absent<>(idem, operation, look);
    }
}
