package dev.idem.sql;

import dev.idem.entry.Effect;
import dev.idem.entry.Failure;
import dev.idem.entry.Payload;
import dev.idem.entry.Result;
import dev.idem.entry.Retention;
import dev.idem.entry.Settlement;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A settlement spread over columns.
 *
 * @param word {@code completed}, {@code failed}, {@code not_executed} or {@code doubtful}; null while in progress
 * @param kept whether a failure is kept; in a doubt that is sent, whether the attempt was seen to end
 * @param reason why a result is not there, or what shows that nothing was executed
 * @param failure what went wrong, or the note of a completion that a person has told
 */
public record Outcome(
        @Nullable String word,
        @Nullable String effect,
        boolean kept,
        @Nullable Retention retention,
        @Nullable String reason,
        @Nullable Failure failure,
        @Nullable Payload payload) {
    private static final String COMPLETED = "completed";
    private static final String FAILED = "failed";
    private static final String NOT_EXECUTED = "not_executed";
    private static final String DOUBTFUL = "doubtful";
    private static final String FAILURE = "failure";

    private static final Outcome NONE = new Outcome(null, null, false, null, null, null, null);

    /** The columns of a settlement, or of none. */
    public static Outcome of(@Nullable Settlement how) {
        if (how instanceof Settlement.Completed completed) {
            Result result = completed.result();
            return new Outcome(
                    COMPLETED,
                    completed.effect().word(),
                    false,
                    completed.retention(),
                    result instanceof Result.Unavailable unavailable ? unavailable.why() : null,
                    note(completed.note()),
                    result instanceof Result.Stored stored ? stored.payload() : null);
        } else if (how instanceof Settlement.Failed failed) {
            return new Outcome(FAILED, null, failed.kept(), failed.retention(), null, failed.failure(), null);
        } else if (how instanceof Settlement.NotExecuted notExecuted) {
            return new Outcome(NOT_EXECUTED, null, false, notExecuted.retention(), notExecuted.evidence(), null, null);
        } else if (how instanceof Settlement.Doubtful doubtful) {
            return new Outcome(DOUBTFUL, null, doubtful.ended(), null, null, doubtful.failure(), null);
        }
        return NONE;
    }

    /** The settlement that these columns hold, or null for none. */
    public @Nullable Settlement settlement() {
        if (word == null) {
            return null;
        }
        return switch (word) {
            case COMPLETED ->
                new Settlement.Completed(
                        result(),
                        Effect.ofWord(needed(effect, "effect")),
                        needed(retention, "keep"),
                        failure == null ? null : failure.message());
            case FAILED -> new Settlement.Failed(needed(failure, FAILURE), kept, needed(retention, "keep"));
            case NOT_EXECUTED -> new Settlement.NotExecuted(needed(reason, "reason"), needed(retention, "keep"));
            case DOUBTFUL -> new Settlement.Doubtful(needed(failure, FAILURE));
            default -> throw new IllegalArgumentException("'" + word + "' is no outcome");
        };
    }

    /** A completion has no failure, so its note has the columns of one. */
    private static @Nullable Failure note(@Nullable String note) {
        return note == null ? null : new Failure("resolved", note);
    }

    private Result result() {
        return payload == null ? new Result.Unavailable(needed(reason, "reason")) : new Result.Stored(payload);
    }

    private static <T> T needed(@Nullable T cell, String column) {
        return Objects.requireNonNull(cell, column + " is missing");
    }
}
