package dev.idem.sqlite;

import dev.idem.entry.Doubt;
import dev.idem.entry.Entry;
import dev.idem.entry.Failure;
import dev.idem.entry.Fence;
import dev.idem.entry.Moment;
import dev.idem.entry.Payload;
import dev.idem.entry.ProcessRef;
import dev.idem.entry.Retention;
import dev.idem.entry.Tenure;
import dev.idem.entry.Times;
import dev.idem.sql.EntryRow;
import dev.idem.sql.Outcome;
import dev.idem.sql.Texts;
import dev.idem.sql.TrailState;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An entry as the texts that its row holds, one for its attempt and one for its outcome. The view {@code entries} of the
 * database tells what stands where; {@link RowReader} reads it. For one thread at a time.
 */
final class EntryText {
    private final CellWriter cells = new CellWriter();

    /** Who was granted it, what for, and for how long. What few entries have comes last, and is left out by most. */
    byte[] attempt(EntryRow row) {
        Entry entry = row.entry();
        Tenure tenure = entry.tenure();
        ProcessRef process = tenure.owner().process();
        Moment lease = tenure.lease();
        Moment limit = tenure.limit();
        Instant created = entry.times().created();
        Fence fence = entry.fence();
        TrailState trail = row.trail();
        Doubt doubt = entry.doubt();
        return cells.array(
                tenure.attemptId(),
                tenure.owner().name(),
                process == null ? null : process.host(),
                process == null ? null : (Long) process.pid(),
                process == null ? null : (Long) process.start(),
                lease.wall(),
                lease.boot(),
                lease.nanos(),
                limit.wall(),
                limit.nanos(),
                limit.boot().equals(lease.boot()) ? null : limit.boot(),
                tenure.staged() ? 1L : 0L,
                (long) entry.attempt(),
                trail.began(),
                entry.fingerprints().identity(),
                entry.fingerprints().content(),
                created.equals(entry.times().claimed()) ? null : created,
                unless(fence, trail.origin()),
                unless(fence, tenure.acted().number()),
                trail.lines() == 0 ? null : (Long) (long) trail.lines(),
                Texts.address(entry.parent()),
                Texts.labels(entry.labels()),
                Texts.marks(tenure.marks()),
                doubt == null ? null : doubt.reason(),
                doubt == null ? null : doubt.since());
    }

    private static @Nullable Long unless(Fence own, long fence) {
        return fence == own.number() ? null : (Long) fence;
    }

    /** Whether the attempt of both is written in the same way. */
    static boolean sameAttempt(EntryRow one, EntryRow other) {
        Entry entry = one.entry();
        Entry otherEntry = other.entry();
        return Objects.equals(entry.tenure(), otherEntry.tenure())
                && Objects.equals(entry.doubt(), otherEntry.doubt())
                && one.trail().lines() == other.trail().lines()
                && Objects.equals(one.trail().began(), other.trail().began())
                && entry.attempt() == otherEntry.attempt()
                && Objects.equals(entry.fingerprints(), otherEntry.fingerprints());
    }

    /** How it ended; null if it has not. */
    byte @Nullable [] outcome(EntryRow row) {
        Times times = row.entry().times();
        Outcome outcome = Outcome.of(row.entry().settlement());
        Retention retention = outcome.retention();
        Failure failure = outcome.failure();
        Payload payload = outcome.payload();
        if (times.settled() == null && outcome.word() == null && row.trail().ended() == null) {
            return null;
        }
        return cells.array(
                times.settled(),
                times.expires(),
                row.trail().ended(),
                outcome.word(),
                retention == null ? null : retention.keep(),
                retention == null ? null : retention.tombstone(),
                outcome.effect(),
                payload == null ? null : payload.mediaType(),
                payload == null ? null : payload.codec(),
                payload == null ? null : payload.encoding(),
                outcome.reason(),
                outcome.kept() ? (Long) 1L : null,
                failure == null ? null : failure.type(),
                failure == null ? null : failure.message());
    }
}
