package dev.idem.jsonl;

import dev.idem.spi.LedgerUrl;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * The settings of a JSONL ledger.
 *
 * @param path the file
 * @param compactFrom a file of fewer bytes is not compacted. Not part of a URL
 */
record JsonlOptions(Path path, long compactFrom) {
    private static final long COMPACT_FROM = 4L << 20;

    static JsonlOptions at(Path path) {
        return new JsonlOptions(path, COMPACT_FROM);
    }

    /** Reads {@code jsonl:path}. */
    static JsonlOptions parse(LedgerUrl url) {
        if (!url.options().isEmpty()) {
            throw new IllegalArgumentException(
                    "jsonl: has no option '" + url.options().keySet().iterator().next() + "'; it takes a path alone");
        }
        return at(path(url));
    }

    JsonlOptions withCompactFrom(long bytes) {
        return new JsonlOptions(path, bytes);
    }

    private static Path path(LedgerUrl url) {
        String rest = url.rest();
        if (rest.isEmpty()) {
            throw new IllegalArgumentException("jsonl: needs the path of a file, for instance jsonl:idem.jsonl");
        }
        if (rest.startsWith("//") && !rest.startsWith("///")) {
            throw new IllegalArgumentException(url + " names a host; write jsonl:path or jsonl:/absolute/path");
        }
        try {
            return Path.of(rest).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(url + " is no path: " + e.getReason(), e);
        }
    }
}
