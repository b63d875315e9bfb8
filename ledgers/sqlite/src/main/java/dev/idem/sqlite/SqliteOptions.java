package dev.idem.sqlite;

import dev.idem.internal.ledger.UrlOption;
import dev.idem.spi.LedgerUrl;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * The settings of a SQLite ledger.
 *
 * @param path the database file
 * @param busy how long to wait for another process that writes
 * @param readers how many connections read at once
 * @param maxPages the maximum number of pages of the file; 0 for no limit. Not part of a URL
 */
record SqliteOptions(Path path, Duration busy, int readers, long maxPages) {
    private static final Duration BUSY = Duration.ofSeconds(10);
    private static final int READERS = 4;
    private static final Duration LONGEST = Duration.ofDays(365);

    static SqliteOptions at(Path path) {
        return new SqliteOptions(path, BUSY, READERS, 0);
    }

    /** Reads {@code sqlite:path?busy=10s&readers=4}. */
    static SqliteOptions parse(LedgerUrl url) {
        SqliteOptions options = at(path(url));
        for (Map.Entry<String, String> option : url.options().entrySet()) {
            UrlOption given = new UrlOption(option.getKey(), option.getValue());
            options = switch (option.getKey()) {
                case "busy" -> options.withBusy(given.duration(Duration.ZERO, LONGEST));
                case "readers" -> options.withReaders(given.count(1, 64));
                default ->
                    throw new IllegalArgumentException(
                            "sqlite: has no option '" + option.getKey() + "'; it has busy=10s and readers=4");
            };
        }
        return options;
    }

    SqliteOptions withBusy(Duration duration) {
        return new SqliteOptions(path, duration, readers, maxPages);
    }

    SqliteOptions withReaders(int count) {
        return new SqliteOptions(path, busy, count, maxPages);
    }

    SqliteOptions withMaxPages(long most) {
        return new SqliteOptions(path, busy, readers, most);
    }

    private static Path path(LedgerUrl url) {
        if (url.rest().startsWith(":")) {
            throw new IllegalArgumentException("sqlite: needs the path of a file, for instance sqlite:idem.db; "
                    + "for a ledger in memory use memory:");
        }
        return DatabaseFile.PATHS.of(url);
    }
}
