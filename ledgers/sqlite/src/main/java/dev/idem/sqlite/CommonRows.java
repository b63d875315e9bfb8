package dev.idem.sqlite;

import dev.idem.entry.Entry;
import dev.idem.entry.Moment;
import dev.idem.entry.Payload;
import dev.idem.entry.ProcessRef;
import dev.idem.entry.Result;
import dev.idem.entry.Settlement;
import dev.idem.entry.State;
import dev.idem.entry.Tenure;
import dev.idem.ledger.ClaimRequest;
import dev.idem.sql.EntryRow;
import dev.idem.sql.Micros;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Binds the two steps that nearly all entries consist of, a plain first grant and a plain completion, to statements
 * that leave out what such entries never have. A driver takes its time for every single parameter.
 */
final class CommonRows {
    private CommonRows() {}

    /** Whether a first grant of it has neither labels nor a parent. */
    static boolean isPlain(ClaimRequest request) {
        return request.labels().isEmpty() && request.parent() == null;
    }

    static void bindGrant(PreparedStatement statement, EntryRow row) throws SQLException {
        Entry entry = row.entry();
        Tenure tenure = entry.tenure();
        statement.setLong(1, entry.fence().number());
        statement.setString(2, row.trail().began());
        statement.setString(3, entry.address().key());
        statement.setString(4, entry.address().operation());
        statement.setString(5, entry.address().scope());
        statement.setLong(6, Micros.of(entry.times().claimed()));
        statement.setString(7, entry.fingerprints().identity());
        statement.setString(8, entry.fingerprints().content());
        statement.setString(9, tenure.attemptId().toString());
        statement.setString(10, tenure.owner().name());
        ProcessRef process = tenure.owner().process();
        if (process == null) {
            statement.setNull(11, Types.VARCHAR);
            statement.setNull(12, Types.BIGINT);
            statement.setNull(13, Types.BIGINT);
        } else {
            statement.setString(11, process.host());
            statement.setLong(12, process.pid());
            statement.setLong(13, process.start());
        }
        bind(statement, 14, tenure.lease());
        bind(statement, 17, tenure.limit());
        statement.setLong(20, tenure.staged() ? 1 : 0);
    }

    /** The result of a step from a plain running entry to a complete one, or null if it is another step. */
    static @Nullable Payload plainResult(EntryRow before, EntryRow after) {
        return before.entry().state() == State.IN_PROGRESS
                        && after.entry().state() == State.COMPLETE
                        && before.entry().doubt() == null
                        && before.entry().tenure().marks().isEmpty()
                        && after.entry().doubt() == null
                        && before.entry()
                                .tenure()
                                .acted()
                                .equals(after.entry().tenure().acted())
                        && before.trail().lines() == after.trail().lines()
                        && same(before.trail().began(), after.trail().began())
                        && after.entry().settlement() instanceof Settlement.Completed completed
                        && completed.result() instanceof Result.Stored stored
                ? stored.payload()
                : null;
    }

    static void bindCompletion(PreparedStatement statement, EntryRow before, EntryRow row, Payload payload, long due)
            throws SQLException {
        Settlement.Completed completed = (Settlement.Completed) row.entry().settlement();
        Instant settled = row.entry().times().settled();
        if (completed == null || settled == null) {
            throw new IllegalArgumentException("not complete: " + row.entry());
        }
        statement.setLong(1, Micros.of(settled));
        statement.setLong(2, due);
        statement.setString(3, row.trail().ended());
        statement.setString(4, completed.effect().word());
        statement.setLong(5, Micros.of(completed.retention().keep()));
        statement.setLong(6, Micros.of(completed.retention().tombstone()));
        statement.setString(7, payload.mediaType());
        statement.setString(8, payload.codec());
        statement.setString(9, payload.encoding());
        statement.setBytes(10, payload.bytes());
        statement.setLong(11, row.entry().fence().number());
        Moment lease = before.entry().tenure().lease();
        statement.setLong(12, Micros.of(lease.wall()));
        statement.setLong(13, lease.nanos());
        statement.setLong(14, before.trail().lines());
    }

    private static void bind(PreparedStatement statement, int first, Moment moment) throws SQLException {
        statement.setLong(first, Micros.of(moment.wall()));
        statement.setString(first + 1, moment.boot());
        statement.setLong(first + 2, moment.nanos());
    }

    private static boolean same(@Nullable String one, @Nullable String other) {
        return one == null ? other == null : one.equals(other);
    }
}
