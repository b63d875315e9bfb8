package dev.idem.cli.upkeep;

import dev.idem.Address;
import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.cli.recorded.Text;
import dev.idem.cli.syntax.UsageException;
import dev.idem.internal.codec.RequestLine;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A file to import, read completely before anything is written. Invalid lines are collected separately. */
final class ImportFile {
    private static final byte[] SQLITE = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);
    private static final String ROWS = "SELECT key, result, created_at FROM idempotency_cache ORDER BY created_at";

    private final Map<Address, Read> newest = new LinkedHashMap<>();
    private final List<Refused> refused = new ArrayList<>();
    private boolean torn;
    private boolean cutOff;
    private boolean ended;

    /** The address and the entry of a line; without an entry if it has expired. */
    record Read(Address address, @Nullable Imported entry, boolean exported) {}

    /** A skipped line or row, and the reason. */
    record Refused(long line, String why) {}

    private ImportFile() {}

    /**
     * Reads the file.
     *
     * @throws UsageException if its format is unknown
     */
    static ImportFile read(Path path, ImportLines lines) throws IOException {
        ImportFile file = new ImportFile();
        if (isSqlite(path)) {
            file.table(path, lines);
        } else {
            file.lines(path, lines);
        }
        if (!file.refused.isEmpty() && file.newest.isEmpty()) {
            Refused first = file.refused.get(0);
            throw new UsageException(
                    "'" + path + "' has no line that can be taken over; line " + first.line() + ": " + first.why());
        }
        return file;
    }

    private static boolean isSqlite(Path path) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            return Arrays.equals(in.readNBytes(SQLITE.length), SQLITE);
        }
    }

    private void table(Path path, ImportLines lines) {
        // Read-only, and through SQLite: another program may be writing it. As a URI, since a path may hold % and ?.
        URI uri = path.toAbsolutePath().toUri();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + uri + "?mode=ro");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(ROWS)) {
            for (long number = 1; rows.next(); number++) {
                String key = rows.getString(1);
                String result = rows.getString(2);
                double createdAt = rows.getDouble(3);
                take(number, () -> lines.row(key, result, createdAt));
            }
        } catch (SQLException e) {
            throw new UsageException(
                    "'" + path + "' has no table idempotency_cache with key, result and created_at: " + e.getMessage());
        }
    }

    private void lines(Path path, ImportLines lines) throws IOException {
        // A character for each byte: a line that is not UTF-8 costs only itself.
        String bytes = Files.readString(path, StandardCharsets.ISO_8859_1);
        boolean whole = bytes.endsWith("\n");
        List<String> all = bytes.lines().toList();
        for (int i = 0; i < all.size(); i++) {
            String text = Text.orNull(all.get(i).getBytes(StandardCharsets.ISO_8859_1));
            String line = RequestLine.unmarked(text == null ? all.get(i) : text);
            if (newest.isEmpty() && RequestLine.beginsArray(line)) {
                throw new UsageException("'" + path + "' " + RequestLine.IS_ARRAY);
            }
            Map<?, ?> end = envelope(line);
            if (end != null) {
                ended = true;
                // A signal may have ended the export.
                cutOff |= !Boolean.TRUE.equals(end.get("ok"));
            } else if (!line.isBlank()
                    && !take(i + 1L, () -> read(lines, text == null ? null : line))
                    && i == all.size() - 1
                    && !whole
                    && line.startsWith("{")) {
                // The writer may have died during the last line, which was then never acknowledged.
                torn = true;
                refused.remove(refused.size() - 1);
            }
        }
    }

    private static Read read(ImportLines lines, @Nullable String line) {
        if (line == null) {
            throw new IllegalArgumentException("it is not UTF-8");
        }
        return lines.read(line);
    }

    /** The response envelope, which ends an export into a pipe or a file; null for any other line. */
    private static @Nullable Map<?, ?> envelope(String line) {
        if (!line.startsWith("{\"_summary\":") && !line.startsWith("{\"ok\":")) {
            return null;
        }
        try {
            return Json.parse(line) instanceof Map<?, ?> map && map.containsKey("meta") && !map.containsKey("id")
                    ? map
                    : null;
        } catch (JsonException e) {
            return null;
        }
    }

    /** Adds a line; a later line of the same entry replaces an earlier one. False if the line is refused. */
    private boolean take(long number, Supplier<Read> line) {
        try {
            Read read = line.get();
            newest.put(read.address(), read);
            return true;
        } catch (IllegalArgumentException | DateTimeException e) {
            refused.add(new Refused(number, String.valueOf(e.getMessage())));
            return false;
        }
    }

    List<Imported> entries() {
        return newest.values().stream()
                .flatMap(read -> Stream.ofNullable(read.entry()))
                .toList();
    }

    /** The skipped lines. */
    List<Refused> refused() {
        return refused;
    }

    /** The number of expired entries. */
    long expired() {
        return newest.values().stream().filter(read -> read.entry() == null).count();
    }

    /** Whether the export that wrote the file was interrupted, so that entries are missing. */
    boolean cutOff() {
        return cutOff;
    }

    /** Whether the last line of an export is missing, so that entries may be missing too. */
    boolean lacksEnd() {
        return !ended && newest.values().stream().anyMatch(Read::exported);
    }

    /** Whether the last line was incomplete and was skipped. */
    boolean torn() {
        return torn;
    }
}
