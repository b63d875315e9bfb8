package dev.idem.jsonl;

import dev.idem.spi.LedgerUrl;
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
        return at(FilePlace.PATHS.of(url));
    }

    JsonlOptions withCompactFrom(long bytes) {
        return new JsonlOptions(path, bytes);
    }
}
