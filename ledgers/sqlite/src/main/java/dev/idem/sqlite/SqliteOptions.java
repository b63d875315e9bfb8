package dev.idem.sqlite;

import dev.idem.spi.LedgerUrl;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m)");

    static SqliteOptions at(Path path) {
        return new SqliteOptions(path, BUSY, READERS, 0);
    }

    /** Reads {@code sqlite:path?busy=10s&readers=4}. */
    static SqliteOptions parse(LedgerUrl url) {
        SqliteOptions options = at(path(url));
        for (Map.Entry<String, String> option : url.options().entrySet()) {
            String value = option.getValue();
            options = switch (option.getKey()) {
                case "busy" -> options.withBusy(duration(value));
                case "readers" -> options.withReaders(count(value));
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
        String rest = url.rest();
        if (rest.isEmpty() || rest.startsWith(":")) {
            throw new IllegalArgumentException("sqlite: needs the path of a file, for instance sqlite:idem.db"
                    + (rest.isEmpty() ? "" : "; for a ledger in memory use memory:"));
        }
        if (rest.startsWith("//") && !rest.startsWith("///")) {
            throw new IllegalArgumentException(url + " names a host; write sqlite:path or sqlite:/absolute/path");
        }
        try {
            return Path.of(rest).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(url + " is no path: " + e.getReason(), e);
        }
    }

    private static Duration duration(String value) {
        Matcher matcher = DURATION.matcher(value);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "busy=" + value + " is no duration; write for instance 500ms, 10s or 2m");
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            default -> Duration.ofMinutes(number);
        };
    }

    private static int count(String value) {
        if (!value.matches("[1-9]|[1-5][0-9]|6[0-4]")) {
            throw new IllegalArgumentException("readers=" + value + " is not a number from 1 to 64");
        }
        return Integer.parseInt(value);
    }
}
