package dev.idem.internal.store;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.LedgerUnreadableException;
import dev.idem.State;
import dev.idem.internal.json.JsonWriter;
import dev.idem.internal.ledger.TimeText;
import dev.idem.spi.Effect;
import dev.idem.spi.EntryStore.Row;
import dev.idem.spi.Failure;
import dev.idem.spi.Mark;
import dev.idem.spi.Moment;
import dev.idem.spi.Payload;
import dev.idem.spi.ProcessRef;
import dev.idem.spi.ResolvedBy;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import dev.idem.spi.Tenure;
import dev.idem.spi.Times;
import dev.idem.spi.browse.TrailLine;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The one stored form of an entry: a row with the few columns that stores compare, a document with everything else, and
 * the bytes of the result.
 *
 * <p>The document is a JSON object with named members. A member with its default value is left out: attempt 1, the
 * effect {@code created}, an entry that began as {@code granted} without a past, and one that ended as its state says.
 * Durations are in seconds. A parent is {@code [scope, operation, key]}, a mark {@code [name]} or
 * {@code [name, host, pid, start]}, a line of the past {@code [at, fence, event, detail]}, with the resolution behind
 * them where a person decided. A resolution is an object with {@code who}, {@code why}, {@code request} and
 * {@code caller}, without those that are not known. Versions that do not know it ignore it, and read the text beside it.
 *
 * <p>The row, not the document, has the values that the store sets when it writes: the times and the fence. The
 * document has only times of earlier writes. A document of an unknown version is an error, and is never overwritten.
 */
public final class EntryFormat {
    static final Long VERSION = 1L;
    /** How an entry without a past began. */
    static final String GRANTED = "granted";

    private EntryFormat() {}

    /**
     * Writes the document of an entry.
     *
     * @param written the placeholder for the time of the write: times equal to it are left to the row
     */
    static byte[] document(Stored stored, Moment written) {
        Entry entry = stored.entry();
        JsonWriter out = new JsonWriter(false).member("v", VERSION);
        out.member("attempt", entry.attempt() == 1 ? null : (long) entry.attempt());
        out.member("identity", entry.fingerprints().identity());
        out.member("content", entry.fingerprints().content());
        out.member("parent", entry.parent() == null ? null : address(entry.parent()));
        out.member("labels", entry.labels().isEmpty() ? null : labels(entry.labels()));
        Times times = entry.times();
        out.member("created", times.created().equals(times.claimed()) ? null : text(times.created()));
        tenure(out, entry);
        limit(out, stored.limit());
        if (entry.doubt() != null) {
            Instant since = entry.doubt().since();
            out.member("doubt", entry.doubt().reason());
            out.member("doubted_since", since.equals(written.wall()) ? null : text(since));
        }
        settlement(out, entry.settlement());
        out.member("resolution", entry.resolution() == null ? null : resolution(entry.resolution()));
        trail(out, stored.trail(), entry.state());
        return bytes(out);
    }

    /** Writes the document of a forgotten entry, of which only the trail is left. */
    static byte[] forgotten(Trail trail) {
        JsonWriter out = new JsonWriter(false).member("v", VERSION);
        trail(out, trail, null);
        return bytes(out);
    }

    /** Half a surrogate pair, which JSON can't have, becomes a question mark. */
    private static byte[] bytes(JsonWriter out) {
        return out.object().getBytes(StandardCharsets.UTF_8);
    }

    /** The bytes of an entry's result, or null where it has none. */
    static byte @Nullable [] body(Entry entry) {
        return entry.result() instanceof Result.Stored stored ? stored.payload().bytes() : null;
    }

    private static void tenure(JsonWriter out, Entry entry) {
        Tenure tenure = entry.tenure();
        out.member("attempt_id", tenure.attemptId().toString());
        out.member("owner", tenure.owner().name());
        ProcessRef process = tenure.owner().process();
        if (process != null) {
            out.member("host", process.host());
            out.member("pid", process.pid());
            out.member("start", process.start());
        }
        out.member("acted", entry.probing() ? tenure.acted().number() : null);
        out.member("staged", tenure.staged() ? true : null);
        if (!tenure.marks().isEmpty()) {
            out.member("marks", tenure.marks().stream().map(EntryFormat::mark).toList());
        }
    }

    private static void limit(JsonWriter out, Limit limit) {
        out.member("time_limit", limit.timeLimit() == null ? null : Seconds.of(limit.timeLimit()));
        out.member("act_until", limit.actUntil() == null ? null : TimeText.of(limit.actUntil()));
        out.member("ended", limit.ended() ? true : null);
    }

    private static void settlement(JsonWriter out, @Nullable Settlement how) {
        if (how instanceof Settlement.Completed completed) {
            out.member("ending", "completed");
            out.member(
                    "effect",
                    completed.effect() == Effect.CREATED
                            ? null
                            : completed.effect().word());
            out.member("note", completed.note());
            result(out, completed.result());
            retention(out, completed.retention());
        } else if (how instanceof Settlement.Failed failed) {
            out.member("ending", "failed");
            failure(out, failed.failure());
            out.member("kept", failed.kept() ? true : null);
            retention(out, failed.retention());
        } else if (how instanceof Settlement.NotExecuted notExecuted) {
            out.member("ending", "not_executed");
            out.member("evidence", notExecuted.evidence());
            retention(out, notExecuted.retention());
        } else if (how instanceof Settlement.Doubtful doubtful) {
            out.member("ending", "doubtful");
            failure(out, doubtful.failure());
        }
    }

    private static void result(JsonWriter out, Result result) {
        if (result instanceof Result.Stored stored) {
            Payload payload = stored.payload();
            out.member("media", payload.mediaType());
            out.member("codec", payload.codec());
            out.member("encoding", payload.encoding().equals(Payload.IDENTITY) ? null : payload.encoding());
        } else if (result instanceof Result.Unavailable unavailable) {
            out.member("unavailable", unavailable.why());
        }
    }

    private static void failure(JsonWriter out, Failure failure) {
        out.member("failure", failure.type());
        out.member("message", failure.message());
    }

    private static void retention(JsonWriter out, Retention retention) {
        out.member("keep", Seconds.of(retention.keep()));
        out.member("tombstone", retention.tombstone().isZero() ? null : Seconds.of(retention.tombstone()));
    }

    private static void trail(JsonWriter out, Trail trail, @Nullable State state) {
        boolean first = trail.past().isEmpty() && GRANTED.equals(trail.began());
        out.member("began", first ? null : trail.began());
        out.member("ended_as", state != null && state.word().equals(trail.ended()) ? null : trail.ended());
        if (!trail.past().isEmpty()) {
            out.member("past", trail.past().stream().map(EntryFormat::line).toList());
        }
    }

    private static List<Object> line(TrailLine line) {
        List<Object> parts =
                new ArrayList<>(List.of(text(line.at()), line.fence().number(), line.event(), line.detail()));
        if (line.resolution() != null) {
            parts.add(resolution(line.resolution()));
        }
        return parts;
    }

    private static Map<String, String> resolution(ResolvedBy by) {
        Map<String, String> members = new LinkedHashMap<>();
        put(members, "who", by.who());
        put(members, "why", by.why());
        put(members, "request", by.request());
        put(members, "caller", by.caller());
        return members;
    }

    private static void put(Map<String, String> members, String name, @Nullable String value) {
        if (value != null) {
            members.put(name, value);
        }
    }

    private static List<String> address(Address address) {
        return List.of(address.scope(), address.operation(), address.key());
    }

    private static List<Object> mark(Mark mark) {
        ProcessRef child = mark.child();
        return child == null ? List.of(mark.name()) : List.of(mark.name(), child.host(), child.pid(), child.start());
    }

    private static String text(Instant instant) {
        return instant.toString();
    }

    /** Two names that differ in half a surrogate pair become one. */
    private static Map<String, String> labels(Map<String, String> labels) {
        Map<String, String> out = new TreeMap<>();
        labels.forEach((name, value) ->
                out.put(new String(name.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8), value));
        return out;
    }

    /**
     * Reads a row that is not forgotten.
     *
     * @throws LedgerUnreadableException when the document has another version, or is malformed
     */
    public static Stored read(Row row) {
        return DocumentReader.stored(row);
    }

    /** Reads the trail of a row, forgotten or not: all lines, oldest first. */
    public static List<TrailLine> trail(Row row) {
        if (row.state() == null) {
            return DocumentReader.past(row);
        }
        Stored stored = read(row);
        return stored.trail().lines(stored.entry());
    }
}
