package dev.idem.spi;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Json;
import dev.idem.LedgerUnreadableException;
import dev.idem.State;
import dev.idem.spi.EntryStore.Row;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The one stored form of an entry: a row with the few columns that stores compare, a document with everything else, and
 * the bytes of the result.
 *
 * <p>The document is JSON with named members. A member with its default value is left out. Durations are in seconds.
 * The row, not the document, has the values that the store sets when it writes: the times and the fence. The document
 * has only times of earlier writes. A document of an unknown version is an error, and is never overwritten.
 */
final class EntryFormat {
    private static final long VERSION = 1;

    private EntryFormat() {}

    /**
     * Writes the document of an entry.
     *
     * @param written the placeholder for the time of the write: times equal to it are left to the row
     */
    static byte[] document(Stored stored, Moment written) {
        Entry entry = stored.entry();
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("v", VERSION);
        out.put("attempt", (long) entry.attempt());
        put(out, "identity", entry.fingerprints().identity());
        put(out, "content", entry.fingerprints().content());
        put(out, "parent", entry.parent() == null ? null : address(entry.parent()));
        put(out, "labels", entry.labels().isEmpty() ? null : labels(entry.labels()));
        Times times = entry.times();
        put(out, "created", times.created().equals(times.claimed()) ? null : text(times.created()));
        tenure(out, entry);
        limit(out, stored.limit());
        put(out, "doubt", entry.doubt() == null ? null : doubt(entry.doubt(), written));
        settlement(out, entry.settlement());
        trail(out, stored.trail());
        return Json.writePlain(out).getBytes(StandardCharsets.UTF_8);
    }

    /** Writes the document of a forgotten entry, of which only the trail is left. */
    static byte[] forgotten(Trail trail) {
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("v", VERSION);
        trail(out, trail);
        return Json.writePlain(out).getBytes(StandardCharsets.UTF_8);
    }

    /** The bytes of an entry's result, or null where it has none. */
    static byte @Nullable [] body(Entry entry) {
        return entry.result() instanceof Result.Stored stored ? stored.payload().bytes() : null;
    }

    private static void tenure(Map<String, Object> out, Entry entry) {
        Tenure tenure = entry.tenure();
        out.put("attempt_id", tenure.attemptId().toString());
        put(out, "owner", tenure.owner().name());
        put(out, "process", process(tenure.owner().process()));
        put(out, "acted", entry.probing() ? tenure.acted().number() : null);
        put(out, "staged", tenure.staged() ? true : null);
        put(
                out,
                "marks",
                tenure.marks().isEmpty()
                        ? null
                        : tenure.marks().stream().map(EntryFormat::mark).toList());
    }

    private static void limit(Map<String, Object> out, Limit limit) {
        put(out, "time_limit", limit.timeLimit() == null ? null : Seconds.of(limit.timeLimit()));
        put(out, "act_until", limit.actUntil() == null ? null : moment(limit.actUntil()));
        put(out, "ended", limit.ended() ? true : null);
    }

    private static Map<String, Object> doubt(Doubt doubt, Moment written) {
        Map<String, Object> out = new LinkedHashMap<>();
        put(out, "reason", doubt.reason());
        put(out, "since", doubt.since().equals(written.wall()) ? null : text(doubt.since()));
        return out;
    }

    private static void settlement(Map<String, Object> out, @Nullable Settlement how) {
        if (how instanceof Settlement.Completed completed) {
            out.put("ending", "completed");
            out.put("effect", completed.effect().word());
            put(out, "note", completed.note());
            out.put("result", result(completed.result()));
            retention(out, completed.retention());
        } else if (how instanceof Settlement.Failed failed) {
            out.put("ending", "failed");
            out.put("failure", failure(failed.failure()));
            put(out, "kept", failed.kept() ? true : null);
            retention(out, failed.retention());
        } else if (how instanceof Settlement.NotExecuted notExecuted) {
            out.put("ending", "not_executed");
            put(out, "evidence", notExecuted.evidence());
            retention(out, notExecuted.retention());
        } else if (how instanceof Settlement.Doubtful doubtful) {
            out.put("ending", "doubtful");
            out.put("failure", failure(doubtful.failure()));
        }
    }

    private static Map<String, Object> result(Result result) {
        Map<String, Object> out = new LinkedHashMap<>();
        if (result instanceof Result.Stored stored) {
            Payload payload = stored.payload();
            put(out, "media", payload.mediaType());
            put(out, "codec", payload.codec());
            put(out, "encoding", payload.encoding().equals(Payload.IDENTITY) ? null : payload.encoding());
        } else if (result instanceof Result.Unavailable unavailable) {
            put(out, "unavailable", unavailable.why());
        }
        return out;
    }

    private static Map<String, Object> failure(Failure failure) {
        Map<String, Object> out = new LinkedHashMap<>();
        put(out, "type", failure.type());
        put(out, "message", failure.message());
        return out;
    }

    private static void retention(Map<String, Object> out, Retention retention) {
        out.put("keep", Seconds.of(retention.keep()));
        put(out, "tombstone", retention.tombstone().isZero() ? null : Seconds.of(retention.tombstone()));
    }

    private static void trail(Map<String, Object> out, Trail trail) {
        put(out, "began", trail.began());
        put(out, "ended_as", trail.ended());
        put(
                out,
                "past",
                trail.past().isEmpty()
                        ? null
                        : trail.past().stream().map(EntryFormat::line).toList());
    }

    private static Map<String, Object> line(TrailLine line) {
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("at", text(line.at()));
        out.put("fence", line.fence().number());
        put(out, "event", line.event());
        put(out, "detail", line.detail());
        return out;
    }

    private static Map<String, Object> address(Address address) {
        Map<String, Object> out = new LinkedHashMap<>();
        put(out, "scope", address.scope());
        put(out, "operation", address.operation());
        put(out, "key", address.key());
        return out;
    }

    private static @Nullable Map<String, Object> process(@Nullable ProcessRef process) {
        if (process == null) {
            return null;
        }
        Map<String, Object> out = new LinkedHashMap<>();
        put(out, "host", process.host());
        out.put("pid", process.pid());
        out.put("start", process.start());
        return out;
    }

    private static Map<String, Object> mark(Mark mark) {
        Map<String, Object> out = new LinkedHashMap<>();
        put(out, "name", mark.name());
        put(out, "child", process(mark.child()));
        return out;
    }

    private static Map<String, Object> moment(Moment moment) {
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("at", text(moment.wall()));
        if (!moment.boot().isEmpty()) {
            out.put("boot", moment.boot());
            out.put("nanos", moment.nanos());
        }
        return out;
    }

    private static String text(Instant instant) {
        return instant.toString();
    }

    /** Half a surrogate pair, which JSON can't have, becomes a question mark when the document becomes bytes. */
    private static void put(Map<String, Object> out, String name, @Nullable Object value) {
        if (value != null) {
            out.put(name, value);
        }
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
    static Stored read(Row row) {
        Members in = Members.of(row);
        try {
            Limit limit = new Limit(in.duration("time_limit"), moment(in.members("act_until")), in.flag("ended"));
            return new Stored(entry(row, in, limit), limit, trail(in));
        } catch (RuntimeException e) {
            throw Members.unreadable(row, e.getMessage(), e);
        }
    }

    /** Reads the trail of a row, forgotten or not: all lines, oldest first. */
    static List<TrailLine> trail(Row row) {
        if (row.state() == null) {
            return trail(Members.of(row)).past();
        }
        Stored stored = read(row);
        return stored.trail().lines(stored.entry());
    }

    private static Entry entry(Row row, Members in, Limit limit) {
        State state = row.state();
        if (state == null) {
            throw new IllegalArgumentException("it was forgotten");
        }
        Moment settled = row.settled();
        Instant claimed = row.claimed().wall();
        Instant created = in.instant("created");
        Long acted = in.number("acted");
        Tenure tenure = new Tenure(
                AttemptId.parse(in.text("attempt_id")),
                new Owner(in.text("owner"), process(in.members("process"))),
                row.lease(),
                acted == null ? row.fence() : new Fence(acted),
                limit.of(row.claimed(), settled),
                in.flag("staged"),
                in.list("marks", mark -> new Mark(mark.text("name"), process(mark.members("child")))));
        return new Entry(
                row.at(),
                state,
                row.fence(),
                Math.toIntExact(in.needed("attempt", in.number("attempt"))),
                new Fingerprints(in.optional("identity"), in.optional("content")),
                address(in.members("parent")),
                in.texts("labels"),
                tenure,
                doubt(in.members("doubt"), settled),
                new Times(
                        created == null ? claimed : created,
                        claimed,
                        settled == null ? null : settled.wall(),
                        row.expires()),
                row.replays(),
                settlement(row, in));
    }

    private static @Nullable Settlement settlement(Row row, Members in) {
        String ending = in.optional("ending");
        if (ending == null) {
            return null;
        }
        return switch (ending) {
            case "completed" ->
                new Settlement.Completed(
                        result(row, in.needed("result", in.members("result"))),
                        Effect.ofWord(in.text("effect")),
                        retention(in),
                        in.optional("note"));
            case "failed" -> new Settlement.Failed(failure(in), in.flag("kept"), retention(in));
            case "not_executed" -> new Settlement.NotExecuted(in.text("evidence"), retention(in));
            case "doubtful" -> new Settlement.Doubtful(failure(in));
            default -> throw new IllegalArgumentException("it ended as '" + ending + "'");
        };
    }

    private static Result result(Row row, Members in) {
        String why = in.optional("unavailable");
        if (why != null) {
            return new Result.Unavailable(why);
        }
        byte[] body = in.needed("body", row.body());
        String encoding = in.optional("encoding");
        return new Result.Stored(
                new Payload(body, in.text("media"), in.text("codec"), encoding == null ? Payload.IDENTITY : encoding));
    }

    private static Retention retention(Members in) {
        Duration tombstone = in.duration("tombstone");
        return new Retention(in.needed("keep", in.duration("keep")), tombstone == null ? Duration.ZERO : tombstone);
    }

    private static Failure failure(Members in) {
        Members failure = in.needed("failure", in.members("failure"));
        return new Failure(failure.text("type"), failure.text("message"));
    }

    private static @Nullable Doubt doubt(@Nullable Members in, @Nullable Moment settled) {
        if (in == null) {
            return null;
        }
        Instant since = in.instant("since");
        return new Doubt(
                in.text("reason"), since == null ? in.needed("since", settled).wall() : since);
    }

    private static Trail trail(Members in) {
        List<TrailLine> past = in.list(
                "past",
                line -> new TrailLine(
                        line.needed("at", line.instant("at")),
                        new Fence(line.needed("fence", line.number("fence"))),
                        line.text("event"),
                        line.text("detail")));
        return new Trail(past, in.optional("began"), in.optional("ended_as"));
    }

    private static @Nullable Address address(@Nullable Members in) {
        return in == null ? null : new Address(in.text("scope"), in.text("operation"), in.text("key"));
    }

    private static @Nullable ProcessRef process(@Nullable Members in) {
        return in == null
                ? null
                : new ProcessRef(
                        in.text("host"), in.needed("pid", in.number("pid")), in.needed("start", in.number("start")));
    }

    private static @Nullable Moment moment(@Nullable Members in) {
        if (in == null) {
            return null;
        }
        Instant wall = in.needed("at", in.instant("at"));
        String boot = in.optional("boot");
        return boot == null ? Moment.ofWall(wall) : new Moment(wall, boot, in.needed("nanos", in.number("nanos")));
    }
}
