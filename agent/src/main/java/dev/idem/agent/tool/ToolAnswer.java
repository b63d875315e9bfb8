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

/**
 * How a call of a tool ended: a text for the model, and a status and value for programs. Immutable.
 *
 * <pre>{@code
 * ToolAnswer answer = session.call("charge", arguments);
 * model.tell(answer.text(), answer.error());
 * answer.note().ifPresent(model::tellBesides);
 * }</pre>
 */
public sealed interface ToolAnswer {
    /** The kind of the answer. */
    enum Status {
        /** It ran in this call. */
        RAN,
        /** It had run before; this is the first result. */
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
        /** It is unknown whether it took effect. */
        IN_DOUBT,
        /** It failed, and nothing happened. */
        FAILED,
        /** It ran long ago; only a tombstone is left. */
        EXPIRED,
        /** It ran before, and its result could not be kept. */
        DONE_WITHOUT_RESULT,
        /** It ran in this call, and the ledger could not record it. */
        UNRECORDED,
        /** It ran in this call, but another attempt had taken over meanwhile. */
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

    /**
     * For the model: the result, or in words what happened and what to do instead. A replayed result is the same text as
     * the first one, so that JSON stays JSON.
     */
    String text();

    /** A note for the model beside the result: it is an earlier one, or of a dry run. Empty for all others. */
    default Optional<String> note() {
        return Optional.empty();
    }

    /** The same answer with its note below the text, for frameworks that have no other place for it. */
    default ToolAnswer withNoteInText() {
        return this;
    }

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

    /** Warnings of a call that went well. */
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

    /**
     * The result of an earlier call, or of one this call waited for.
     *
     * @param noteInText whether the note is below the text, and not beside it
     */
    record Replayed(String tool, Outcome.Replayed<@Nullable Object> outcome, boolean noteInText) implements ToolAnswer {
        /** A result whose note is beside it. */
        public Replayed(String tool, Outcome.Replayed<@Nullable Object> outcome) {
            this(tool, outcome, false);
        }

        @Override
        public Status status() {
            return Status.REPLAYED;
        }

        @Override
        public String text() {
            String text = Wording.ran(tool, outcome.value());
            return noteInText ? text + "\n\n" + Wording.replayed(tool, outcome) : text;
        }

        @Override
        public Optional<String> note() {
            return noteInText ? Optional.empty() : Optional.of(Wording.replayed(tool, outcome));
        }

        @Override
        public ToolAnswer withNoteInText() {
            return new Replayed(tool, outcome, true);
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
     * A shadow run: the effect that the call would have had.
     *
     * @param effect {@link Effect#WOULD_CREATE} …, or {@link Effect#NOOP} where it had run before
     * @param value the tool's stub; null where none was declared
     * @param noteInText whether the note is below the stub, and not beside it
     */
    record Recorded(
            String tool,
            Address at,
            Effect effect,
            @Nullable Object value,
            boolean noteInText) implements ToolAnswer {
        /** A stub whose note is beside it. */
        public Recorded(String tool, Address at, Effect effect, @Nullable Object value) {
            this(tool, at, effect, value, false);
        }

        @Override
        public Status status() {
            return Status.RECORDED;
        }

        @Override
        public String text() {
            String note = Wording.recorded(tool, effect);
            return value == null ? note : Wording.text(value) + (noteInText ? "\n\n" + note : "");
        }

        @Override
        public Optional<String> note() {
            return value == null || noteInText ? Optional.empty() : Optional.of(Wording.recorded(tool, effect));
        }

        @Override
        public ToolAnswer withNoteInText() {
            return new Recorded(tool, at, effect, value, true);
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
     * The call was refused, or has no result.
     *
     * @param text for the model: the call, its ending, and the next step
     * @param at the entry of the call, where one is known
     * @param cause the exception, where there is one
     * @param approval the key of the request for approval, where one is pending or was denied
     * @param earlier the result of the first run, where the loop guard stopped a call that is complete
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
        /** A refusal that has nothing to do with approvals. */
        public Refused(String tool, Status status, String text, @Nullable Address at, @Nullable Throwable cause) {
            this(tool, status, text, at, cause, null, null);
        }

        /** A stopped call that is complete, with its result. */
        public static Refused done(String tool, Outcome.Replayed<@Nullable Object> earlier) {
            return new Refused(
                    tool, Status.STOPPED, Wording.done(tool, earlier), earlier.address(), null, null, earlier);
        }

        /** True unless the call is complete, with or without its result. */
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
