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
import dev.idem.sql.Micros;
import dev.idem.sql.Outcome;
import dev.idem.sql.Texts;
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
        Doubt doubt = entry.doubt();
        CellWriter out = cells.begin()
                .hex(tenure.attemptId().high(), tenure.attemptId().low())
                .text(tenure.owner().name());
        if (process == null) {
            out.text(null).text(null).text(null);
        } else {
            out.text(process.host()).number(process.pid()).number(process.start());
        }
        return out.number(Micros.of(lease.wall()))
                .text(lease.boot())
                .number(lease.nanos())
                .number(Micros.of(limit.wall()))
                .number(limit.nanos())
                .text(limit.boot().equals(lease.boot()) ? null : limit.boot())
                .number(tenure.staged() ? 1 : 0)
                .number(entry.attempt())
                .text(row.trail().began())
                .text(entry.fingerprints().identity())
                .text(entry.fingerprints().content())
                .number(created.equals(entry.times().claimed()) ? null : micros(created))
                .number(
                        row.trail().origin() == fence.number()
                                ? null
                                : (Long) row.trail().origin())
                .number(
                        tenure.acted().equals(fence)
                                ? null
                                : (Long) tenure.acted().number())
                .number(
                        row.trail().lines() == 0
                                ? null
                                : (Long) (long) row.trail().lines())
                .text(Texts.address(entry.parent()))
                .text(Texts.labels(entry.labels()))
                .text(Texts.marks(tenure.marks()))
                .text(doubt == null ? null : doubt.reason())
                .number(doubt == null ? null : micros(doubt.since()))
                .end();
    }

    /** Whether the attempt of both is written in the same way. */
    static boolean sameAttempt(EntryRow one, EntryRow other) {
        Entry entry = one.entry();
        Entry otherEntry = other.entry();
        return entry.tenure().equals(otherEntry.tenure())
                && Objects.equals(entry.doubt(), otherEntry.doubt())
                && one.trail().lines() == other.trail().lines()
                && Objects.equals(one.trail().began(), other.trail().began())
                && entry.attempt() == otherEntry.attempt()
                && entry.fingerprints().equals(otherEntry.fingerprints());
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
        return cells.begin()
                .number(micros(times.settled()))
                .number(micros(times.expires()))
                .text(row.trail().ended())
                .text(outcome.word())
                .number(retention == null ? null : (Long) Micros.of(retention.keep()))
                .number(retention == null ? null : (Long) Micros.of(retention.tombstone()))
                .text(outcome.effect())
                .text(payload == null ? null : payload.mediaType())
                .text(payload == null ? null : payload.codec())
                .text(payload == null ? null : payload.encoding())
                .text(outcome.reason())
                .number(outcome.kept() ? (Long) 1L : null)
                .text(failure == null ? null : failure.type())
                .text(failure == null ? null : failure.message())
                .end();
    }

    private static @Nullable Long micros(@Nullable Instant instant) {
        return instant == null ? null : (Long) Micros.of(instant);
    }
}
