package dev.idem;

import dev.idem.spi.Effect;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The end of a call: a value of this call, a replayed value, or the reason why there is no value.
 *
 * <pre>{@code
 * Outcome<String> outcome = idem.operation("charge").key("order-7").returning(String.class).attempt(action);
 * if (outcome instanceof Outcome.InDoubt<String> doubt) {
 *     alert(doubt.message());
 * }
 * }</pre>
 *
 * <p>{@link Operation#attempt} returns it. {@link #match} handles all cases without a default branch. Immutable;
 * thread-safe as far as its value is.
 *
 * @param <T> the type of the result
 */
public sealed interface Outcome<T extends @Nullable Object> {
    /**
     * The value.
     *
     * @throws IdemException when there is no value; the message says why and what to do next
     * @throws RuntimeException the action's own unchecked exception, if that is the {@link #failure()}
     * @throws IllegalStateException around a checked exception of the action
     */
    T value();

    /** The exception that says why there is no value; null when there is one. */
    @Nullable
    Throwable failure();

    /** One sentence for people. */
    String message();

    /** Whether the value was made by an earlier or another call. */
    default boolean replayed() {
        return this instanceof Replayed;
    }

    /** Calls the method of this case. The compiler makes sure that the caller handles all cases. */
    default <R extends @Nullable Object> R match(Cases<T, R> cases) {
        if (this instanceof Done<T> done) {
            return cases.done(done);
        } else if (this instanceof Replayed<T> replayed) {
            return cases.replayed(replayed);
        } else if (this instanceof InFlight<T> inFlight) {
            return cases.inFlight(inFlight);
        } else if (this instanceof Conflict<T> conflict) {
            return cases.conflict(conflict);
        } else if (this instanceof InDoubt<T> inDoubt) {
            return cases.inDoubt(inDoubt);
        } else if (this instanceof Failed<T> failed) {
            return cases.failed(failed);
        } else if (this instanceof Expired<T> expired) {
            return cases.expired(expired);
        }
        return cases.unavailable((Unavailable<T>) this);
    }

    /** One method for each outcome. */
    interface Cases<T extends @Nullable Object, R extends @Nullable Object> {
        R done(Done<T> done);

        R replayed(Replayed<T> replayed);

        R inFlight(InFlight<T> inFlight);

        R conflict(Conflict<T> conflict);

        R inDoubt(InDoubt<T> inDoubt);

        R failed(Failed<T> failed);

        R expired(Expired<T> expired);

        R unavailable(Unavailable<T> unavailable);
    }

    /** An outcome with a value. */
    sealed interface Valued<T extends @Nullable Object> extends Outcome<T> permits Done, Replayed {
        Provenance provenance();

        default Address address() {
            return provenance().address();
        }

        /** When the action that made the value was started. */
        default Instant executedAt() {
            return provenance().executedAt();
        }

        /** Which attempt made the value. */
        default int attempt() {
            return provenance().attempt();
        }

        /** The effect of this call; {@link Effect#NOOP} for a replay. */
        default Effect effect() {
            return provenance().effect();
        }

        default List<Warning> warnings() {
            return provenance().warnings();
        }

        @Override
        default String message() {
            return provenance().message();
        }

        @Override
        default @Nullable Throwable failure() {
            return null;
        }
    }

    /** An outcome without a value. */
    sealed interface Refused<T extends @Nullable Object> extends Outcome<T>
            permits InFlight, Conflict, InDoubt, Failed, Expired, Unavailable {
        @Override
        Throwable failure();

        @Override
        default String message() {
            return String.valueOf(failure().getMessage());
        }

        @Override
        default T value() {
            if (failure() instanceof RuntimeException unchecked) {
                throw unchecked;
            } else if (failure() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException(message(), failure());
        }
    }

    /** This call has run the action. */
    record Done<T extends @Nullable Object>(T value, Provenance provenance) implements Valued<T> {}

    /** The value of an earlier attempt, or of one this call waited for. */
    record Replayed<T extends @Nullable Object>(T value, Provenance provenance) implements Valued<T> {}

    /** Another call is running the operation. */
    record InFlight<T extends @Nullable Object>(InFlightException failure) implements Refused<T> {}

    /** The key belongs to an operation with another identity or content. */
    record Conflict<T extends @Nullable Object>(ConflictException failure) implements Refused<T> {}

    /**
     * It is unknown whether the effect took place.
     *
     * @param failure the exception of this call's own action, or an {@link InDoubtException} about an earlier attempt
     */
    record InDoubt<T extends @Nullable Object>(Throwable failure) implements Refused<T> {
        /** The reason of the doubt and the next step, also where this call's own action threw. */
        @Override
        public String message() {
            for (Throwable attached : failure.getSuppressed()) {
                if (attached instanceof InDoubtException doubt) {
                    return "the action threw " + failure + "; " + doubt.getMessage();
                }
            }
            return Refused.super.message();
        }
    }

    /**
     * Nothing happened.
     *
     * @param failure the exception of this call's own action, or one about the attempt that this call waited for
     */
    record Failed<T extends @Nullable Object>(Throwable failure) implements Refused<T> {}

    /** The operation ran long ago, its result has expired, and a tombstone keeps it from running again. */
    record Expired<T extends @Nullable Object>(ExpiredException failure) implements Refused<T> {}

    /** The operation is complete, but its result can't be replayed. */
    record Unavailable<T extends @Nullable Object>(ResultUnavailableException failure) implements Refused<T> {}
}
