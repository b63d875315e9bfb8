package dev.idem.torture.subject;

import dev.idem.sqlite.SqliteNative;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A SQLite file that all workers write. */
final class SqliteSubject implements Subject {
    private final Path file;
    private final List<String> jvmOptions;

    /** Unpacks the native library for all workers: a worker without room for files could not do it itself. */
    SqliteSubject(Path folder) {
        this.file = folder.resolve("idem.db");
        this.jvmOptions = SqliteNative.unpackTo(folder.resolve("native"))
                .map(library -> List.of("-Dorg.sqlite.lib.path=" + library))
                .orElse(List.of());
    }

    @Override
    public List<String> jvmOptions() {
        return jvmOptions;
    }

    @Override
    public Set<Deed> deeds() {
        return EnumSet.of(Deed.KILL, Deed.STOP, Deed.CLOCK, Deed.FULL);
    }

    @Override
    public String url() {
        return "sqlite:" + file;
    }

    /** The size of the file itself: its log may be longer, and then there is no room at all. */
    @Override
    public long largestFile() throws IOException {
        // Only reads the size: opening and closing the file would drop SQLite's locks on it.
        return Files.exists(file) ? Files.size(file) : 0;
    }

    @Override
    public Optional<String> damage() {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA integrity_check")) {
            String found = row.next() ? row.getString(1) : "no answer";
            return found.equals("ok") ? Optional.empty() : Optional.of(found);
        } catch (SQLException e) {
            return Optional.of(e.toString());
        }
    }

    @Override
    public void close() {}
}
