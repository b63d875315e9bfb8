package dev.idem.postgresql;

import dev.idem.entry.Moment;
import dev.idem.sql.Cells;
import dev.idem.sql.Micros;
import dev.idem.sql.TrailState;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PGbytea;

/**
 * The columns of an entry that came as the one text into which the server makes a row: every single column of an answer
 * costs the server and the driver time. A moment is one column: a server has only a wall clock.
 */
final class PackedEntry implements Cells {
    private static final String BODY = "body";
    private static final String TRAIL = "trail";

    /** All columns of the table, in its order. */
    private static final List<String> COLUMNS =
            List.of(("key operation scope fence state attempt replays created claimed settled expires due"
                            + " notable identity content parent labels attempt_id owner owner_host owner_pid owner_start"
                            + " lease acted act_until staged marks child doubt doubt_since"
                            + " outcome effect kept keep tombstone reason failure_type failure_message"
                            + " media_type codec encoding body began ended trail")
                    .split(" "));

    /** Where the cells are that an entry is read from, in the order in which it is read. */
    private static final int[] ORDER = List.of(
                    ("fence began ended key operation scope state attempt replays created claimed settled expires"
                                    + " identity content parent labels attempt_id owner owner_host owner_pid owner_start"
                                    + " lease acted act_until staged marks doubt doubt_since"
                                    + " outcome effect kept keep tombstone reason failure_type failure_message"
                                    + " media_type codec encoding")
                            .split(" "))
            .stream()
            .mapToInt(COLUMNS::indexOf)
            .toArray();

    private static final int AT_BODY = COLUMNS.indexOf(BODY);

    private final @Nullable String[] columns = new String[COLUMNS.size()];
    private int read;

    private PackedEntry(String row) {
        int at = 1;
        for (int i = 0; i < columns.length; i++) {
            at = row.charAt(at) == '"' ? quoted(row, at + 1, i) : plain(row, at, i);
        }
    }

    /** What a statement selects for an entry: its text, without the trail, and the bytes of its result beside it. */
    static String selected(String alias) {
        return COLUMNS.stream()
                .map(name -> name.equals(BODY) || name.equals(TRAIL) ? "NULL" : alias + "." + name)
                .collect(Collectors.joining(", ", "ROW(", ")::text, " + alias + "." + BODY));
    }

    /** The cells of an entry; null when there is none. */
    static @Nullable PackedEntry of(@Nullable String row) {
        if (row == null) {
            return null;
        }
        PackedEntry entry = new PackedEntry(row);
        return entry.columns[0] == null ? null : entry;
    }

    /** Names it in messages. */
    long fence() {
        String fence = columns[ORDER[0]];
        return fence == null ? 0 : Long.parseLong(fence);
    }

    /** The bytes of a result that came within the text, in whichever form the server was told to write bytes. */
    byte @Nullable [] body() throws SQLException {
        String body = columns[AT_BODY];
        return body == null ? null : PGbytea.toBytes(body.getBytes(StandardCharsets.US_ASCII));
    }

    /** A column without quotes; nothing at all is null. Gives the place after the comma or bracket that ends it. */
    private int plain(String row, int from, int column) {
        int end = from;
        while (row.charAt(end) != ',' && row.charAt(end) != ')') {
            end++;
        }
        columns[column] = end == from ? null : row.substring(from, end);
        return end + 1;
    }

    /** A column in quotes, in which a quote is two quotes and a backslash two backslashes. */
    private int quoted(String row, int from, int column) {
        int end = row.indexOf('"', from);
        boolean doubled = false;
        while (row.charAt(end + 1) == '"') {
            doubled = true;
            end = row.indexOf('"', end + 2);
        }
        String text = row.substring(from, end);
        text = doubled ? text.replace("\"\"", "\"") : text;
        columns[column] = text.indexOf('\\') < 0 ? text : text.replace("\\\\", "\\");
        return end + 2;
    }

    @Override
    public String text() {
        String text = textOrNull();
        if (text == null) {
            throw new IllegalArgumentException("a text is missing in column " + COLUMNS.get(ORDER[read - 1]));
        }
        return text;
    }

    @Override
    public @Nullable String textOrNull() {
        return columns[ORDER[read++]];
    }

    @Override
    public long number() {
        Long number = numberOrNull();
        if (number == null) {
            throw new IllegalArgumentException("a number is missing in column " + COLUMNS.get(ORDER[read - 1]));
        }
        return number;
    }

    @Override
    public @Nullable Long numberOrNull() {
        String cell = textOrNull();
        if (cell == null) {
            return null;
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
