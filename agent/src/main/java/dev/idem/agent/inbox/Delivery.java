package dev.idem.agent.inbox;

import dev.idem.Warning;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How one delivery of an event ended.
 *
 * @param <T> the result of the handler
 */
public sealed interface Delivery<T extends @Nullable Object> {
    /** Whether to acknowledge the event to its source. If false, let the source deliver it again. */
    boolean acknowledge();

    /** One sentence for people. */
    String reason();

    /** This delivery was handled. */
    record Handled<T extends @Nullable Object>(T value, int attempt, List<Warning> warnings) implements Delivery<T> {
        /** Keeps a copy of the warnings. */
        public Handled {
            warnings = List.copyOf(warnings);
        }

        @Override
        public boolean acknowledge() {
            return true;
        }

        @Override
        public String reason() {
            return attempt == 1 ? "handled" : "handled at attempt " + attempt;
        }
    }

    /**
     * An earlier delivery was handled; this is its result.
     *
     * @param handledAt when the handler of that was started
     * @param warnings for instance that the body of this delivery differs
     */
    record Duplicate<T extends @Nullable Object>(T value, Instant handledAt, List<Warning> warnings)
            implements Delivery<T> {
        /** Keeps a copy of the warnings. */
        public Duplicate {
            warnings = List.copyOf(warnings);
        }

        @Override
        public boolean acknowledge() {
            return true;
        }

        @Override
        public String reason() {
            return "a duplicate of what was handled at " + handledAt;
        }
    }

    /**
     * An earlier delivery was handled, and its result is no longer available.
     *
     * @param reason why not
     */
    record Done<T extends @Nullable Object>(String reason) implements Delivery<T> {
        @Override
        public boolean acknowledge() {
            return true;
        }
    }

    /** The event was given up, by this delivery or an earlier one. */
    record DeadLettered<T extends @Nullable Object>() implements Delivery<T> {
        @Override
        public boolean acknowledge() {
            return true;
        }

        @Override
        public String reason() {
            return "given up after too many attempts, and handed to the dead letters";
        }
    }

    /**
     * The handler has failed. Deliver it again.
     *
     * @param cause the exception of the handler, or of the delivery that this one waited for
     */
    record Failed<T extends @Nullable Object>(Throwable cause) implements Delivery<T> {
        @Override
        public boolean acknowledge() {
            return false;
        }

        @Override
        public String reason() {
            return "the handler failed: " + cause.getMessage();
        }
    }

    /** Another delivery of the event is being handled. Deliver it again later. */
    record InFlight<T extends @Nullable Object>(Throwable cause) implements Delivery<T> {
        @Override
        public boolean acknowledge() {
            return false;
        }

        @Override
        public String reason() {
            return String.valueOf(cause.getMessage());
        }
    }

    /** It is unknown whether it was handled. It is not handled again before a probe or a person has resolved it. */
    record InDoubt<T extends @Nullable Object>(Throwable cause) implements Delivery<T> {
        @Override
        public boolean acknowledge() {
            return false;
        }

        @Override
        public String reason() {
            return String.valueOf(cause.getMessage());
        }
    }

    /** The event's key was used for something else. */
    record Conflict<T extends @Nullable Object>(Throwable cause) implements Delivery<T> {
        @Override
        public boolean acknowledge() {
            return false;
        }

        @Override
        public String reason() {
            return String.valueOf(cause.getMessage());
        }
    }
}
