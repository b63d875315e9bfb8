package dev.idem.sql;

import dev.idem.entry.Failure;
import dev.idem.entry.Payload;
import dev.idem.entry.Result;
import dev.idem.entry.Retention;
import dev.idem.entry.Settlement;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A settlement spread over columns.
 *
 * @param word {@code completed}, {@code failed}, {@code not_executed} or {@code doubtful}; null while in progress
 * @param reason why a result is not there, or what shows that nothing was executed
 */
public record Outcome(
        @Nullable String word,
        @Nullable String effect,
        boolean kept,
        @Nullable Retention retention,
        @Nullable String reason,
        @Nullable Failure failure,
        @Nullable Payload payload) {
    static final String COMPLETED = "completed";
    static final String FAILED = "failed";
    static final String NOT_EXECUTED = "not_executed";
    static final String DOUBTFUL = "doubtful";

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
                    null,
                    result instanceof Result.Stored stored ? stored.payload() : null);
        } else if (how instanceof Settlement.Failed failed) {
            return new Outcome(FAILED, null, failed.kept(), failed.retention(), null, failed.failure(), null);
        } else if (how instanceof Settlement.NotExecuted notExecuted) {
            return new Outcome(NOT_EXECUTED, null, false, notExecuted.retention(), notExecuted.evidence(), null, null);
        } else if (how instanceof Settlement.Doubtful doubtful) {
            return new Outcome(DOUBTFUL, null, false, null, null, doubtful.failure(), null);
        }
        return NONE;
    }

    /** Binds {@code outcome} to {@code body}, in the order of {@link EntryColumns}; says which parameter is next. */
    int bind(PreparedStatement statement, int first) throws SQLException {
        int at = first;
        statement.setString(at++, word);
        statement.setString(at++, effect);
        statement.setLong(at++, kept ? 1 : 0);
        Columns.set(statement, at++, retention == null ? null : (Long) Micros.of(retention.keep()));
        Columns.set(statement, at++, retention == null ? null : (Long) Micros.of(retention.tombstone()));
        statement.setString(at++, reason);
        statement.setString(at++, failure == null ? null : failure.type());
        statement.setString(at++, failure == null ? null : failure.message());
        statement.setString(at++, payload == null ? null : payload.mediaType());
        statement.setString(at++, payload == null ? null : payload.codec());
        statement.setString(at++, payload == null ? null : payload.encoding());
        statement.setBytes(at++, payload == null ? null : payload.bytes());
        return at;
    }
}
