package dev.idem.postgresql;

import dev.idem.entry.Moment;
import dev.idem.sql.Cells;
import dev.idem.sql.EntryReader;
import dev.idem.sql.Micros;
import dev.idem.sql.TrailState;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PGbytea;

/**
 * The parts of an entry that came as the one text into which the server makes a row: every single column of an answer
 * costs the server and the driver time. Some of its columns are such texts again. A moment is one part: a server has
 * only a wall clock.
 */
final class PackedEntry implements Cells {
    private static final String BODY = "body";
    private static final String TRAIL = "trail";

    /** All columns of the table, in its order. */
    private static final List<String> COLUMNS =
            words("fence claimed lease replays due notable key operation scope granted state expires settlement"
                    + " body rare trail");

    private static final List<String> GRANTED =
            words("attempt_id attempt identity content owner owner_host owner_pid owner_start time_limit staged parent"
                    + " labels began created acted");

    private static final List<String> SETTLEMENT =
            words("outcome effect kept keep tombstone reason failure_type failure_message media_type codec encoding"
                    + " ended settled");

    private static final List<String> RARE = words("marks child doubt doubt_since");

    /** What is told by others: until when an entry may act. */
    private static final List<String> DERIVED = words("act_until");

    private static final List<String> PARTS = Stream.of(COLUMNS, GRANTED, SETTLEMENT, RARE, DERIVED)
            .flatMap(List::stream)
            .toList();

    /** Where the parts are that an entry is read from, in the order in which it is read. */
    private static final int[] ORDER = words("fence began ended key operation scope state attempt replays created"
                    + " claimed settled expires identity content parent labels attempt_id owner owner_host owner_pid"
                    + " owner_start lease acted act_until staged marks doubt doubt_since outcome effect kept keep"
                    + " tombstone reason failure_type failure_message media_type codec encoding")
            .stream()
            .mapToInt(PARTS::indexOf)
            .toArray();

    private static final int AT_FENCE = PARTS.indexOf("fence");
    private static final int AT_CLAIMED = PARTS.indexOf("claimed");
    private static final int AT_GRANTED = PARTS.indexOf("granted");
    private static final int AT_EXPIRES = PARTS.indexOf("expires");
    private static final int AT_SETTLEMENT = PARTS.indexOf("settlement");
    private static final int AT_BODY = PARTS.indexOf(BODY);
    private static final int AT_RARE = PARTS.indexOf("rare");
    private static final int AT_TIME_LIMIT = PARTS.indexOf("time_limit");
    private static final int AT_CREATED = PARTS.indexOf("created");
    private static final int AT_ACTED = PARTS.indexOf("acted");
    private static final int AT_KEEP = PARTS.indexOf("keep");
    private static final int AT_SETTLED = PARTS.indexOf("settled");
    private static final int AT_ACT_UNTIL = PARTS.indexOf("act_until");

    private final @Nullable String[] parts = new String[PARTS.size()];
    private int read;

    private PackedEntry(String row) {
        takeApart(row, 0, COLUMNS.size());
    }

    /** What is packed once more was stored as it came, so that anything may stand there. */
    private void takeColumnsApart() {
        int next = takeApart(parts[AT_GRANTED], COLUMNS.size(), GRANTED.size());
        next = takeApart(parts[AT_SETTLEMENT], next, SETTLEMENT.size());
        takeApart(parts[AT_RARE], next, RARE.size());
    }

    private static List<String> words(String words) {
        return List.of(words.split(" "));
    }

    /** Puts the parts of a text where they belong, and gives the place after them. */
    private int takeApart(@Nullable String text, int first, int count) {
        if (text != null) {
            int at = 1;
            for (int i = first; i < first + count; i++) {
                at = text.charAt(at) == '"' ? quoted(text, at + 1, i) : plain(text, at, i);
            }
            if (at != text.length()) {
                throw new IllegalArgumentException("it has more than " + count + " parts");
            }
        }
        return first + count;
    }

    /** A number that is not written where others tell it. */
    private @Nullable Long derived(int part) {
        if (part == AT_CREATED) {
            return number(parts[AT_CLAIMED]);
        } else if (part == AT_ACTED) {
            return number(parts[AT_FENCE]);
        } else if (part == AT_ACT_UNTIL) {
            return sum(parts[AT_CLAIMED], 1, parts[AT_TIME_LIMIT]);
        }
        return part == AT_SETTLED ? sum(parts[AT_EXPIRES], -1, parts[AT_KEEP]) : null;
    }

    private static @Nullable Long number(@Nullable String cell) {
        return cell == null ? null : Long.valueOf(cell);
    }

    private static @Nullable Long sum(@Nullable String one, int sign, @Nullable String other) {
        return one == null || other == null ? null : (Long) (Long.parseLong(one) + sign * Long.parseLong(other));
    }

    /** What a statement selects for an entry: its text, without the trail, and the bytes of its result beside it. */
    static String selected(String alias) {
        return COLUMNS.stream()
                .map(name -> name.equals(BODY) || name.equals(TRAIL) ? "NULL" : alias + "." + name)
                .collect(Collectors.joining(", ", "ROW(", ")::text, " + alias + "." + BODY));
    }

    /**
     * The cells of an entry; null when there is none.
     *
     * @throws dev.idem.error.LedgerUnreadableException when it holds what no entry can hold
     */
    static @Nullable PackedEntry of(@Nullable String row) {
        if (row == null) {
            return null;
        }
        PackedEntry entry = new PackedEntry(row);
        String fence = entry.parts[AT_FENCE];
        if (fence == null) {
            return null;
        }
        try {
            entry.takeColumnsApart();
        } catch (RuntimeException e) {
            throw EntryReader.unreadable(e, fence);
        }
        return entry;
    }

    /** Names it in messages. */
    long fence() {
        String fence = parts[AT_FENCE];
        return fence == null ? 0 : Long.parseLong(fence);
    }

    /** The bytes of a result that came within the text, in whichever form the server was told to write bytes. */
    byte @Nullable [] body() throws SQLException {
        String body = parts[AT_BODY];
        return body == null ? null : PGbytea.toBytes(body.getBytes(StandardCharsets.US_ASCII));
    }

    /** A part without quotes; nothing at all is null. Gives the place after the comma or bracket that ends it. */
    private int plain(String row, int from, int part) {
        int comma = row.indexOf(',', from);
        int end = comma < 0 ? row.length() - 1 : comma;
        parts[part] = end == from ? null : row.substring(from, end);
        return end + 1;
    }

    /** A part in quotes, in which a quote is two quotes and a backslash two backslashes. */
    private int quoted(String row, int from, int part) {
        int end = row.indexOf('"', from);
        boolean doubled = false;
        while (row.charAt(end + 1) == '"') {
            doubled = true;
            end = row.indexOf('"', end + 2);
        }
        String text = row.substring(from, end);
        text = doubled ? text.replace("\"\"", "\"") : text;
        parts[part] = text.indexOf('\\') < 0 ? text : text.replace("\\\\", "\\");
        return end + 2;
    }

    @Override
    public String text() {
        String text = textOrNull();
        if (text == null) {
            throw new IllegalArgumentException("a text is missing: " + PARTS.get(ORDER[read - 1]));
        }
        return text;
    }

    @Override
    public @Nullable String textOrNull() {
        return parts[ORDER[read++]];
    }

    @Override
    public long number() {
        Long number = numberOrNull();
        if (number == null) {
            throw new IllegalArgumentException("a number is missing: " + PARTS.get(ORDER[read - 1]));
        }
        return number;
    }

    @Override
    public @Nullable Long numberOrNull() {
        int part = ORDER[read++];
        String cell = parts[part];
        if (cell == null) {
            return derived(part);
        }
        return cell.equals("t") ? (Long) 1L : cell.equals("f") ? (Long) 0L : Long.valueOf(cell);
    }

    @Override
    public Moment moment() {
        return Moment.ofWall(Micros.instant(number()));
    }

    /** The lines of a trail are kept beside its entry, so their number and place are of no interest. */
    @Override
    public TrailState trail() {
        return new TrailState(0, 0, textOrNull(), textOrNull());
    }
}
