package dev.idem.torture.subject;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** A SQLite file that all workers write. */
final class SqliteSubject implements Subject {
    private final Path file;

    SqliteSubject(Path folder) {
        this.file = folder.resolve("idem.db");
    }

    @Override
    public Set<Deed> deeds() {
        return EnumSet.of(Deed.KILL, Deed.STOP, Deed.CLOCK, Deed.FULL);
    }

    @Override
    public String url() {
        return "sqlite:" + file;
    }

    @Override
    public long largestFile() throws IOException {
        long largest = 0;
        for (String suffix : new String[] {"", "-wal"}) {
            Path each = file.resolveSibling(file.getFileName() + suffix);
            // Its size alone: whoever opens and closes the file drops SQLite's locks on it.
            largest = Math.max(largest, Files.exists(each) ? Files.size(each) : 0);
        }
        return largest;
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
