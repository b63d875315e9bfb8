package dev.idem.agent.tool;

import dev.idem.Address;
import dev.idem.Outcome;
import dev.idem.Warning;
import dev.idem.internal.json.JsonBinder;
import dev.idem.spi.Effect;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a call of a tool ended: a text for the model, and for programs what happened. */
public sealed interface ToolAnswer {
    /** What happened, in one word. */
    enum Status {
        /** It ran in this call. */
        RAN,
        /** It had run before: its first result. */
        REPLAYED,
        /** A shadow run: it was recorded and did not run. */
        RECORDED,
        /** There is no such tool. */
        UNKNOWN_TOOL,
        /** Its arguments do not fit. */
        BAD_ARGUMENTS,
        /** The loop guard or a budget stopped it. */
        STOPPED,
        /** A person has to approve it first. */
        NEEDS_APPROVAL,
        /** A person has denied it. */
        DENIED,
        /** It has effects, and the session has no id that a restart would find again. */
        NO_SESSION,
        /** The same call runs elsewhere. */
        IN_FLIGHT,
        /** The key was used for something else. */
        CONFLICT,
        /** Nobody knows whether it happened. */
        IN_DOUBT,
        /** It failed, and nothing happened. */
        FAILED,
        /** It ran long ago; only a tombstone is left. */
        EXPIRED,
        /** It ran before, and its result could not be kept. */
        DONE_WITHOUT_RESULT,
        /** It ran in this call, and the ledger could not be told. */
        UNRECORDED,
        /** It ran in this call, while somebody else had taken over. */
        TAKEN_OVER,
        /** The ledger can't be reached or read, so nothing ran. */
        LEDGER_UNAVAILABLE;

        /** The word used in JSON and in reports. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The tool's name. */
    String tool();

    Status status();

    /** For the model, in words: the result, or what happened and what to do instead. */
    String text();

    /** Whether a framework should hand the text to the model as an error. */
    boolean error();

    /**
     * The result as plain values: text, numbers, maps, lists.
     *
     * @throws RuntimeException when there is none; it says why
     */
    @Nullable
    Object value();

    /** The result as a record or another type that it can be bound to. */
    default <T> T value(Class<T> type) {
        Object plain = value();
        return type.isInstance(plain) ? type.cast(plain) : Objects.requireNonNull(JsonBinder.bind(plain, type));
    }

    /** The entry of the call; empty where none was made. */
    Optional<Address> address();

    /** What a caller should know although the call went well. */
    default List<Warning> warnings() {
        return List.of();
    }

    /** Calls the one case that fits, so that a caller handles all of them. */
    default <R extends @Nullable Object> R match(Cases<R> cases) {
        if (this instanceof Ran ran) {
            return cases.ran(ran);
        } else if (this instanceof Replayed replayed) {
            return cases.replayed(replayed);
        } else if (this instanceof Recorded recorded) {
            return cases.recorded(recorded);
        }
        return cases.refused((Refused) this);
    }

    /** One method for each answer. */
    interface Cases<R extends @Nullable Object> {
        R ran(Ran ran);

        R replayed(Replayed replayed);

        R recorded(Recorded recorded);

        R refused(Refused refused);
    }

    /** It ran in this call. */
    record Ran(String tool, Outcome.Done<@Nullable Object> outcome) implements ToolAnswer {
        @Override
        public Status status() {
            return Status.RAN;
        }

        @Override
        public String text() {
            return Wording.ran(tool, outcome.value());
        }

        @Override
        public boolean error() {
            return false;
        }

        @Override
        public @Nullable Object value() {
            return outcome.value();
        }

        @Override
        public Optional<Address> address() {
            return Optional.of(outcome.address());
        }

        @Override
        public List<Warning> warnings() {
            return outcome.warnings();
        }
    }

    /** The result of an earlier call, or of one this call waited for. */
    record Replayed(String tool, Outcome.Replayed<@Nullable Object> outcome) implements ToolAnswer {
        @Override
        public Status status() {
            return Status.REPLAYED;
        }

        @Override
        public String text() {
            return Wording.replayed(tool, outcome);
        }

        @Override
        public boolean error() {
            return false;
        }

        @Override
        public @Nullable Object value() {
            return outcome.value();
        }

        @Override
        public Optional<Address> address() {
            return Optional.of(outcome.address());
        }

        @Override
        public List<Warning> warnings() {
            return outcome.warnings();
        }
    }

    /**
     * A shadow run: what would have happened.
     *
     * @param effect {@link Effect#WOULD_CREATE} …, or {@link Effect#NOOP} where it had run before
     * @param value the tool's stub; null where none was declared
     */
    record Recorded(
            String tool,
            Address at,
            Effect effect,
            @Nullable Object value) implements ToolAnswer {
        @Override
        public Status status() {
            return Status.RECORDED;
        }

        @Override
        public String text() {
            return Wording.recorded(tool, effect, value);
        }

        @Override
        public boolean error() {
            return false;
        }

        @Override
        public Optional<Address> address() {
            return Optional.of(at);
        }
    }

    /**
     * The call was not let through, or has no result to give.
     *
     * @param text for the model: what was called, what happened, what to do instead
     * @param at the entry of the call, where one is known
     * @param cause what says so, where something was thrown
     * @param approval the key of the request for approval, where one is pending or was denied
     * @param earlier the result of the run there was, where the loop guard or a budget stopped a call that is done: a
     *     program gets its value
     */
    record Refused(
            String tool,
            Status status,
            String text,
            @Nullable Address at,
            @Nullable Throwable cause,
            @Nullable String approval,
            Outcome.@Nullable Replayed<@Nullable Object> earlier)
            implements ToolAnswer {
        /** One that has to do with no approval. */
        public Refused(String tool, Status status, String text, @Nullable Address at, @Nullable Throwable cause) {
            this(tool, status, text, at, cause, null, null);
        }

        /** A call that was stopped although it is done: it carries the result there is. */
        public static Refused done(String tool, Outcome.Replayed<@Nullable Object> earlier) {
            return new Refused(
                    tool, Status.STOPPED, Wording.done(tool, earlier), earlier.address(), null, null, earlier);
        }

        /** Everything but what was done before, whether or not its result is there. */
        @Override
        public boolean error() {
            return status != Status.DONE_WITHOUT_RESULT && earlier == null;
        }

        @Override
        public @Nullable Object value() {
            if (earlier == null) {
                throw new ToolRefusedException(this);
            }
            return earlier.value();
        }

        @Override
        public Optional<Address> address() {
            return Optional.ofNullable(at);
        }
    }
}
