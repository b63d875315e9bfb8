package dev.idem.cli.upkeep;

import dev.idem.cli.syntax.UsageException;
import dev.idem.entry.Address;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A file to take over, read whole and checked before anything is written. */
final class ImportFile {
    private static final byte[] SQLITE = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);
    private static final String ROWS = "SELECT key, result, created_at FROM idempotency_cache ORDER BY created_at";

    private final Map<Address, Imported> newest = new LinkedHashMap<>();
    private long expired;
    private boolean torn;
    private boolean cutOff;

    private ImportFile() {}

    /**
     * Reads the file.
     *
     * @throws UsageException when something in it is not what it should be
     */
    static ImportFile read(Path path, ImportLines lines) throws IOException {
        ImportFile file = new ImportFile();
        if (isSqlite(path)) {
            file.table(path, lines);
        } else {
            file.lines(path, lines);
        }
        return file;
    }

    private static boolean isSqlite(Path path) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            return Arrays.equals(in.readNBytes(SQLITE.length), SQLITE);
        }
    }

    private void table(Path path, ImportLines lines) {
        // Read-only, and through SQLite: whoever writes it meanwhile is not disturbed.
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:file:" + path + "?mode=ro");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(ROWS)) {
            while (rows.next()) {
                put(lines.row(rows.getString(1), rows.getString(2), ImportLines.ofSeconds(rows.getDouble(3))));
            }
        } catch (SQLException e) {
            throw new UsageException(
                    "'" + path + "' has no table idempotency_cache with key and result: " + e.getMessage());
        } catch (IllegalArgumentException e) {
            throw new UsageException("a row of '" + path + "' can't be taken over: " + e.getMessage());
        }
    }

    private void lines(Path path, ImportLines lines) throws IOException {
        String text = Files.readString(path);
        boolean whole = text.endsWith("\n");
        List<String> all = text.lines().toList();
        for (int i = 0; i < all.size(); i++) {
            ExportEnd end = ExportEnd.of(all.get(i));
            cutOff |= end != null && !end.whole();
            if (end != null || all.get(i).isBlank()) {
                continue;
            }
            try {
                put(lines.read(all.get(i), i + 1L));
            } catch (UsageException e) {
                // Whoever wrote the last line may have died over it: it was never acknowledged.
                torn = i == all.size() - 1 && !whole;
                if (!torn) {
                    throw e;
                }
            }
        }
    }

    /** A later line about the same entry takes the place of an earlier one. */
    private void put(@Nullable Imported imported) {
        if (imported == null) {
            expired++;
        } else {
            newest.put(imported.address(), imported);
        }
    }

    Collection<Imported> entries() {
        return newest.values();
    }

    /** How many had expired. */
    long expired() {
        return expired;
    }

    /** Whether the export that wrote the file was interrupted, so that entries are missing. */
    boolean cutOff() {
        return cutOff;
    }

    /** Whether the last line was cut off, and left out. */
    boolean torn() {
        return torn;
    }
}
