package dev.idem.agent.ensure;

import dev.idem.Idem;
import dev.idem.Operation;
import dev.idem.Preparation;
import dev.idem.TypeRef;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes a thing unless it is there: {@code Ensure.of(idem, "create_subscription").identity(...).unless(probe)
 * .then(action)}.
 *
 * <p>The claim lasts for the call only, around the look and the making, so that of two agents one looks after the other
 * has made it. Nothing is remembered beyond that: each later call looks again, and makes anew what has gone meanwhile.
 *
 * <p>Immutable: every method gives a new one.
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
     * An operation that makes things.
     *
     * @param name a stable id, such as {@code create_subscription}
     */
    public static Ensure<Object> of(Idem idem, String name) {
        return new Ensure<>(idem, idem.operation(name).returning(Object.class));
    }

    /** Where identities are unique: a tenant, an account; {@code default} unless told. Not a task: other tasks look for the same thing. */
    public Ensure<T> scope(String scope) {
        return with(op -> op.scope(scope));
    }

    /** What makes it this thing: whose subscription to which plan. */
    public Ensure<T> identity(@Nullable Object identity) {
        return with(op -> op.identity(identity));
    }

    /** A key of the caller's that stands for the thing. */
    public Ensure<T> key(String key) {
        return with(op -> op.key(key));
    }

    /** The type of the thing. */
    public <R> Ensure<R> returning(Class<R> type) {
        return new Ensure<>(idem, operation.returning(type));
    }

    /** The type of the thing, with its arguments. */
    public <R> Ensure<R> returning(TypeRef<R> type) {
        return new Ensure<>(idem, operation.returning(type));
    }

    /** Whatever else holds for the operation: a time limit, how long to wait, definite failures, labels. */
    public Ensure<T> with(UnaryOperator<Operation<T>> declaration) {
        return new Ensure<>(idem, declaration.apply(operation));
    }

    /**
     * Looks whether the thing is there. If it throws, nothing is made. It is also the probe after a crash or an
     * ambiguous failure: then it is asked only when the earlier attempt can no longer act.
     *
     * @param <Y> what it throws
     */
    public <Y extends Exception> Absent<T, Y> unless(Preparation<Optional<T>, Y> look) {
        return new Absent<>(idem, operation, look);
    }
}
