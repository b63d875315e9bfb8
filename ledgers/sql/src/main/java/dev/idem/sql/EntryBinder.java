package dev.idem.sql;

import dev.idem.entry.Doubt;
import dev.idem.entry.Entry;
import dev.idem.entry.Moment;
import dev.idem.entry.ProcessRef;
import dev.idem.entry.Retention;
import dev.idem.entry.State;
import dev.idem.entry.Tenure;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Binds entries to the three statements that write them. Each lists only what it may change, so that an index whose
 * columns stay as they are is not written.
 */
public final class EntryBinder {
    /** What is in progress or in doubt never comes due. */
    public static final long NEVER = Long.MAX_VALUE;

    private EntryBinder() {}

    /**
     * A grant: {@code fence, origin, lines, began, key, operation, scope, attempt, replays, created, claimed, identity,
     * content, parent, labels, attempt_id, owner, owner_host, owner_pid, owner_start, lease_wall, lease_boot,
     * lease_nanos, acted, limit_wall, limit_boot, limit_nanos, staged, marks, doubt, doubt_since}.
     */
    public static void grant(PreparedStatement statement, EntryRow row) throws SQLException {
        Entry entry = row.entry();
        Tenure tenure = entry.tenure();
        int at = 1;
        statement.setLong(at++, entry.fence().number());
        statement.setLong(at++, row.trail().origin());
        statement.setLong(at++, row.trail().lines());
        statement.setString(at++, row.trail().began());
        statement.setString(at++, entry.address().key());
        statement.setString(at++, entry.address().operation());
        statement.setString(at++, entry.address().scope());
        statement.setLong(at++, entry.attempt());
        statement.setLong(at++, entry.replays());
        statement.setLong(at++, Micros.of(entry.times().created()));
        statement.setLong(at++, Micros.of(entry.times().claimed()));
        statement.setString(at++, entry.fingerprints().identity());
        statement.setString(at++, entry.fingerprints().content());
        statement.setString(at++, Texts.address(entry.parent()));
        statement.setString(at++, Texts.labels(entry.labels()));
        statement.setString(at++, tenure.attemptId().toString());
        statement.setString(at++, tenure.owner().name());
        ProcessRef process = tenure.owner().process();
        statement.setString(at++, process == null ? null : process.host());
        Columns.set(statement, at++, process == null ? null : (Long) process.pid());
        Columns.set(statement, at++, process == null ? null : (Long) process.start());
        at = moment(statement, at, tenure.lease());
        statement.setLong(at++, tenure.acted().number());
        at = moment(statement, at, tenure.limit());
        statement.setLong(at++, tenure.staged() ? 1 : 0);
        statement.setString(at++, Texts.marks(tenure.marks()));
        doubt(statement, at, entry.doubt());
    }

    /** A heartbeat or a mark: {@code lease_wall, lease_boot, lease_nanos, marks, lines, began WHERE fence}. */
    public static void hold(PreparedStatement statement, EntryRow row) throws SQLException {
        Tenure tenure = row.entry().tenure();
        int at = moment(statement, 1, tenure.lease());
        statement.setString(at++, Texts.marks(tenure.marks()));
        statement.setLong(at++, row.trail().lines());
        statement.setString(at++, row.trail().began());
        statement.setLong(at, row.entry().fence().number());
    }

    /**
     * An end: {@code state, acted, doubt, doubt_since, settled, expires, due, outcome, effect, kept, keep, tombstone,
     * reason, failure_type, failure_message, media_type, codec, encoding, body, lines, began, ended WHERE fence}.
     */
    public static void end(PreparedStatement statement, EntryRow row) throws SQLException {
        Entry entry = row.entry();
        int at = 1;
        statement.setString(at++, entry.state().word());
        statement.setLong(at++, entry.tenure().acted().number());
        at = doubt(statement, at, entry.doubt());
        Columns.set(statement, at++, entry.times().settled());
        Columns.set(statement, at++, entry.times().expires());
        statement.setLong(at++, due(entry));
        at = Outcome.of(entry.settlement()).bind(statement, at);
        statement.setLong(at++, row.trail().lines());
        statement.setString(at++, row.trail().began());
        statement.setString(at++, row.trail().ended());
        statement.setLong(at, entry.fence().number());
    }

    /** When a purge has something to do with the entry next, in microseconds; the end of time for never. */
    public static long due(Entry entry) {
        Instant expires = entry.times().expires();
        if (expires == null) {
            return NEVER;
        }
        Retention retention = Outcome.of(entry.settlement()).retention();
        return entry.state() == State.EXPIRED && retention != null
                ? Micros.of(expires.plus(retention.tombstone()))
                : Micros.of(expires);
    }

    private static int moment(PreparedStatement statement, int first, Moment moment) throws SQLException {
        statement.setLong(first, Micros.of(moment.wall()));
        statement.setString(first + 1, moment.boot());
        statement.setLong(first + 2, moment.nanos());
        return first + 3;
    }

    private static int doubt(PreparedStatement statement, int first, @Nullable Doubt doubt) throws SQLException {
        statement.setString(first, doubt == null ? null : doubt.reason());
        Columns.set(statement, first + 1, doubt == null ? null : doubt.since());
        return first + 2;
    }
}
