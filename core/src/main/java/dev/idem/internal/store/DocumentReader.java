package dev.idem.internal.store;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.LedgerUnreadableException;
import dev.idem.State;
import dev.idem.internal.json.JsonMembers;
import dev.idem.internal.ledger.TimeText;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Doubt;
import dev.idem.spi.Effect;
import dev.idem.spi.EntryStore.Row;
import dev.idem.spi.Failure;
import dev.idem.spi.Fence;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Mark;
import dev.idem.spi.Moment;
import dev.idem.spi.Owner;
import dev.idem.spi.Payload;
import dev.idem.spi.ProcessRef;
import dev.idem.spi.ResolvedBy;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import dev.idem.spi.Tenure;
import dev.idem.spi.Times;
import dev.idem.spi.browse.TrailLine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the document of a row, member by member, in any order. The fields are the members; see {@link EntryFormat}. */
final class DocumentReader {
    private final Row row;
    private final JsonMembers in;
    private String name = "";
    private @Nullable Object version;
    private int attempt = 1;
    private @Nullable String identity;
    private @Nullable String content;
    private @Nullable Address parent;
    private Map<String, String> labels = Map.of();
    private @Nullable Instant created;
    private @Nullable String attemptId;
    private @Nullable String owner;
    private @Nullable String host;
    private @Nullable Long pid;
    private @Nullable Long start;
    private @Nullable Long acted;
    private boolean staged;
    private List<Mark> marks = List.of();
    private @Nullable Duration timeLimit;
    private @Nullable Moment actUntil;
    private boolean ended;
    private @Nullable String doubt;
    private @Nullable Instant doubtedSince;
    private @Nullable String ending;
    private Effect effect = Effect.CREATED;
    private @Nullable String note;
    private @Nullable String unavailable;
    private @Nullable String media;
    private @Nullable String codec;
    private String encoding = Payload.IDENTITY;
    private @Nullable String failure;
    private @Nullable String message;
    private boolean kept;
    private @Nullable String evidence;
    private @Nullable ResolvedBy resolution;
    private @Nullable Duration keep;
    private Duration tombstone = Duration.ZERO;
    private @Nullable String began;
    private @Nullable String endedAs;
    private List<TrailLine> past = List.of();

    private DocumentReader(Row row) {
        this.row = row;
        this.in = new JsonMembers(row.document());
    }

    /** Gives what {@code made} makes of the document. */
    private static <T> T read(Row row, Function<DocumentReader, T> made) {
        try {
            DocumentReader reader = new DocumentReader(row);
            reader.members();
            return made.apply(reader);
        } catch (RuntimeException e) {
            throw new LedgerUnreadableException("the entry " + row.at() + " can't be read: " + e.getMessage(), e);
        }
    }

    /** Reads the entry of a row that is not forgotten. */
    static Stored stored(Row row) {
        return read(row, DocumentReader::stored);
    }

    /** Reads the past of a forgotten row. */
    static List<TrailLine> past(Row row) {
        return read(row, reader -> reader.past);
    }

    private void members() {
        for (String next = in.next(); next != null; next = in.next()) {
            name = next;
            try {
                member();
            } catch (ClassCastException | IndexOutOfBoundsException e) {
                throw new IllegalArgumentException("its '" + name + "' has another form", e);
            }
        }
        requireVersion();
    }

    private void member() {
        switch (name) {
            case "v" -> {
                version = in.value();
                requireVersion();
            }
            case "attempt" -> attempt = Math.toIntExact(number());
            case "identity" -> identity = text();
            case "content" -> content = text();
            case "parent" -> parent = address(value(List.class));
            case "labels" -> labels = texts();
            case "created" -> created = TimeText.instant(text());
            case "attempt_id" -> attemptId = text();
            case "owner" -> owner = text();
            case "host" -> host = text();
            case "pid" -> pid = number();
            case "start" -> start = number();
            case "acted" -> acted = number();
            case "staged" -> staged = value(Boolean.class);
            case "marks" -> marks = list(DocumentReader::mark);
            case "time_limit" -> timeLimit = duration();
            case "act_until" -> actUntil = TimeText.moment(text());
            case "ended" -> ended = value(Boolean.class);
            case "doubt" -> doubt = text();
            case "doubted_since" -> doubtedSince = TimeText.instant(text());
            case "ending" -> ending = text();
            case "effect" -> effect = Effect.ofWord(text());
            case "note" -> note = text();
            case "unavailable" -> unavailable = text();
            case "media" -> media = text();
            case "codec" -> codec = text();
            case "encoding" -> encoding = text();
            case "failure" -> failure = text();
            case "message" -> message = text();
            case "kept" -> kept = value(Boolean.class);
            case "evidence" -> evidence = text();
            case "resolution" -> resolution = resolution(value(Map.class));
            case "keep" -> keep = duration();
            case "tombstone" -> tombstone = duration();
            case "began" -> began = text();
            case "ended_as" -> endedAs = text();
            case "past" -> past = list(DocumentReader::line);
            default -> in.value();
        }
    }

    private void requireVersion() {
        if (!EntryFormat.VERSION.equals(version)) {
            throw new IllegalArgumentException("it is in format " + version + ", this version of Idem reads format "
                    + EntryFormat.VERSION + ": use the version that wrote it");
        }
    }

    private Stored stored() {
        State state = needed("state", row.state());
        Limit limit = new Limit(timeLimit, actUntil, ended);
        Moment settled = row.settled();
        Instant claimed = row.claimed().wall();
        Tenure tenure = new Tenure(
                AttemptId.parse(needed("attempt_id", attemptId)),
                new Owner(
                        needed("owner", owner),
                        host == null ? null : new ProcessRef(host, needed("pid", pid), needed("start", start))),
                settled == null ? row.lease() : settled,
                acted == null ? row.fence() : new Fence(acted),
                limit.of(row.claimed(), settled),
                staged,
                marks);
        Times times = new Times(
                created == null ? claimed : created, claimed, settled == null ? null : settled.wall(), row.expires());
        Entry entry = new Entry(
                row.at(),
                state,
                row.fence(),
                attempt,
                new Fingerprints(identity, content),
                parent,
                labels,
                tenure,
                doubt(settled),
                times,
                row.replays(),
                settlement());
        String newest = endedAs != null || state == State.IN_PROGRESS ? endedAs : state.word();
        return new Stored(
                entry, limit, new Trail(past, past.isEmpty() && began == null ? EntryFormat.GRANTED : began, newest));
    }

    private @Nullable Doubt doubt(@Nullable Moment settled) {
        if (doubt == null) {
            return null;
        }
        return new Doubt(
                doubt, doubtedSince == null ? needed("doubted_since", settled).wall() : doubtedSince);
    }

    private @Nullable Settlement settlement() {
        if (ending == null) {
            return null;
        }
        return switch (ending) {
            case "completed" -> new Settlement.Completed(result(), effect, retention(), note, resolution);
            case "failed" -> new Settlement.Failed(failure(), kept, retention());
            case "not_executed" -> new Settlement.NotExecuted(needed("evidence", evidence), retention(), resolution);
            case "doubtful" -> new Settlement.Doubtful(failure());
            default -> throw new IllegalArgumentException("it ended as '" + ending + "'");
        };
    }

    private Result result() {
        return unavailable == null
                ? new Result.Stored(new Payload(
                        needed("body", row.body()), needed("media", media), needed("codec", codec), encoding))
                : new Result.Unavailable(unavailable);
    }

    private Failure failure() {
        return new Failure(needed("failure", failure), needed("message", message));
    }

    private Retention retention() {
        return new Retention(needed("keep", keep), tombstone);
    }

    private static <T> T needed(String name, @Nullable T value) {
        if (value == null) {
            throw new IllegalArgumentException("it has no '" + name + "'");
        }
        return value;
    }

    private <T> T value(Class<T> type) {
        Object value = in.value();
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException("its '" + name + "' is not a " + type.getSimpleName());
        }
        return type.cast(value);
    }

    private String text() {
        return value(String.class);
    }

    private long number() {
        return value(Long.class);
    }

    private Duration duration() {
        return Seconds.duration(value(Number.class));
    }

    @SuppressWarnings("unchecked") // a value that is no text fails where it is used, and nothing else can
    private Map<String, String> texts() {
        return (Map<String, String>) value(Map.class);
    }

    private <T> List<T> list(Function<List<?>, T> element) {
        List<?> values = value(List.class);
        return values.stream().map(value -> element.apply((List<?>) value)).toList();
    }

    private static Address address(List<?> parts) {
        return new Address((String) parts.get(0), (String) parts.get(1), (String) parts.get(2));
    }

    private static Mark mark(List<?> parts) {
        return parts.size() == 1
                ? Mark.of((String) parts.get(0))
                : new Mark((String) parts.get(0), new ProcessRef((String) parts.get(1), (Long) parts.get(2), (Long)
                        parts.get(3)));
    }

    private static TrailLine line(List<?> parts) {
        return new TrailLine(
                TimeText.instant((String) parts.get(0)),
                new Fence((Long) parts.get(1)),
                (String) parts.get(2),
                (String) parts.get(3),
                parts.size() == 4 ? null : resolution((Map<?, ?>) parts.get(4)));
    }

    private static ResolvedBy resolution(Map<?, ?> members) {
        return new ResolvedBy(
                (String) members.get("who"), (String) members.get("why"), (String) members.get("request"), (String)
                        members.get("caller"));
    }
}
