package dev.idem.sqlite;

import dev.idem.entry.Address;
import dev.idem.entry.AttemptId;
import dev.idem.entry.Doubt;
import dev.idem.entry.Entry;
import dev.idem.entry.Failure;
import dev.idem.entry.Fence;
import dev.idem.entry.Fingerprints;
import dev.idem.entry.Mark;
import dev.idem.entry.Moment;
import dev.idem.entry.Owner;
import dev.idem.entry.Payload;
import dev.idem.entry.ProcessRef;
import dev.idem.entry.Retention;
import dev.idem.entry.Settlement;
import dev.idem.entry.State;
import dev.idem.entry.Tenure;
import dev.idem.entry.Times;
import dev.idem.sql.EntryReader;
import dev.idem.sql.EntryRow;
import dev.idem.sql.Micros;
import dev.idem.sql.Outcome;
import dev.idem.sql.Texts;
import dev.idem.sql.TrailState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads entries from rows, whose texts {@link EntryText} has written. */
final class RowReader {
    /** What a statement asks for where it wants an entry. Drivers take their time for every single column. */
    static final String COLUMNS = "json_array(fence, key, operation, scope, state, replays, claimed) || attempt"
            + " || ifnull(outcome, ''), body";

    private RowReader() {}

    /** The entry of the row at which a result stands that was asked for the {@link #COLUMNS}. */
    static EntryRow read(ResultSet row) throws SQLException {
        return read(row.getString(1), row.getBytes(2));
    }

    static EntryRow read(String texts, byte @Nullable [] body) {
        try {
            return row(new CellArray(texts), body);
        } catch (RuntimeException e) {
            throw EntryReader.unreadable(e, texts.substring(1, Math.max(1, texts.indexOf(','))));
        }
    }

    private static EntryRow row(CellArray cells, byte @Nullable [] body) {
        Fence fence = new Fence(cells.number());
        String key = cells.text();
        String operation = cells.text();
        Address address = new Address(cells.text(), operation, key);
        State state = State.ofWord(cells.text());
        long replays = cells.number();
        Instant claimed = Micros.instant(cells.number());
        if (!cells.nextArray()) {
            throw new IllegalArgumentException("its attempt is missing");
        }
        Attempt attempt = attempt(cells);
        String began = cells.textOrNull();
        Fingerprints fingerprints = new Fingerprints(cells.textOrNull(), cells.textOrNull());
        Instant created = instant(cells.numberOrNull());
        long origin = numberOr(cells, fence.number());
        Fence acted = new Fence(numberOr(cells, fence.number()));
        int lines = (int) numberOr(cells, 0);
        Address parent = Texts.address(cells.textOrNull());
        var labels = Texts.labels(cells.textOrNull());
        Tenure tenure = attempt.tenure(acted, Texts.marks(cells.textOrNull()));
        Doubt doubt = doubt(cells.textOrNull(), instant(cells.numberOrNull()));
        Instant settled = null;
        Instant expires = null;
        String ended = null;
        Settlement settlement = null;
        if (cells.nextArray()) {
            settled = instant(cells.numberOrNull());
            expires = instant(cells.numberOrNull());
            ended = cells.textOrNull();
            settlement = outcome(cells, body).settlement();
        }
        return new EntryRow(
                new Entry(
                        address,
                        state,
                        fence,
                        attempt.number(),
                        fingerprints,
                        parent,
                        labels,
                        tenure,
                        doubt,
                        new Times(created == null ? claimed : created, claimed, settled, expires),
                        replays,
                        settlement),
                new TrailState(origin, lines, began, ended));
    }

    /** What every attempt has. */
    private record Attempt(AttemptId id, Owner owner, Moment lease, Moment limit, boolean staged, int number) {
        Tenure tenure(Fence acted, List<Mark> marks) {
            return new Tenure(id, owner, lease, acted, limit, staged, marks);
        }
    }

    private static Attempt attempt(CellArray cells) {
        AttemptId id = AttemptId.parse(cells.text());
        String name = cells.text();
        String host = cells.textOrNull();
        Long pid = cells.numberOrNull();
        Long start = cells.numberOrNull();
        ProcessRef process = host == null || pid == null || start == null ? null : new ProcessRef(host, pid, start);
        Moment lease = new Moment(Micros.instant(cells.number()), cells.text(), cells.number());
        Instant limit = Micros.instant(cells.number());
        long limitNanos = cells.number();
        String limitBoot = cells.textOrNull();
        return new Attempt(
                id,
                new Owner(name, process),
                lease,
                new Moment(limit, limitBoot == null ? lease.boot() : limitBoot, limitNanos),
                cells.number() != 0,
                (int) cells.number());
    }

    private static @Nullable Doubt doubt(@Nullable String reason, @Nullable Instant since) {
        return reason == null || since == null ? null : new Doubt(reason, since);
    }

    private static Outcome outcome(CellArray cells, byte @Nullable [] body) {
        String word = cells.textOrNull();
        Long keep = cells.numberOrNull();
        long tombstone = numberOr(cells, 0);
        Retention retention = keep == null ? null : new Retention(Micros.duration(keep), Micros.duration(tombstone));
        String effect = cells.textOrNull();
        String mediaType = cells.textOrNull();
        String codec = cells.textOrNull();
        String encoding = cells.textOrNull();
        Payload payload = mediaType == null || codec == null || encoding == null
                ? null
                : new Payload(body == null ? new byte[0] : body, mediaType, codec, encoding);
        String reason = cells.textOrNull();
        boolean kept = numberOr(cells, 0) != 0;
        String failureType = cells.textOrNull();
        String message = cells.textOrNull();
        Failure failure = failureType == null || message == null ? null : new Failure(failureType, message);
        return new Outcome(word, effect, kept, retention, reason, failure, payload);
    }

    private static long numberOr(CellArray cells, long otherwise) {
        Long number = cells.numberOrNull();
        return number == null ? otherwise : number;
    }

    private static @Nullable Instant instant(@Nullable Long micros) {
        return micros == null ? null : Micros.instant(micros);
    }
}
