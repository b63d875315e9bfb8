package dev.idem.agent.inbox;

import dev.idem.Warning;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How one delivery of an event ended.
 *
 * @param <T> what the handler gives
 */
public sealed interface Delivery<T extends @Nullable Object> {
    /** Whether the source may be told that the event is done with. False: let it be delivered again. */
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
     * An earlier delivery was handled, and this is what it gave.
     *
     * @param handledAt when the handler of that was started
     * @param warnings for instance that this delivery's body says something else
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
     * An earlier delivery was handled, and what that gave can't be given again.
     *
     * @param reason why not
     */
    record Done<T extends @Nullable Object>(String reason) implements Delivery<T> {
        @Override
        public boolean acknowledge() {
            return true;
        }
    }

    /** It was tried as often as it may be, by this delivery or an earlier one, and is a dead letter. */
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
     * @param cause what it threw, or an exception about the delivery this one waited for
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

    /** Another delivery of it is being handled. Deliver it again, to hear how that ends. */
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

    /** Nobody knows whether it was handled, and it is not handled again before somebody has found out. */
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
