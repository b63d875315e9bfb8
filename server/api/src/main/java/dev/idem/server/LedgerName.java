package dev.idem.server;

import dev.idem.spi.LedgerUrl;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The ledger of a server, to be compared with the one that a client means: by the real path of a file, else by host,
 * database and the options that choose other entries. Users, passwords and all other options do not count.
 */
final class LedgerName {
    /** The operation that keeps the id of a ledger. */
    static final String OPERATION = "ledger_id";

    private static final Set<String> FILES = Set.of("sqlite", "jsonl");
    private static final Set<String> COUNTING = Set.of("schema", "prefix");
    /** As long as the longest path of most systems. */
    private static final int LONGEST = 4096;

    private final String url;
    /** With the real path of a file. */
    private final String name;
    /** With the path of the file as the URL has it. */
    private final String written;

    private final @Nullable Path file;
    private final Supplier<String> ids;
    private volatile @Nullable Object fileKey;
    private volatile @Nullable String id;

    /** Names the ledger with this absolute URL; {@code ids} reads its id, or gives it one. */
    LedgerName(String url, Supplier<String> ids) {
        this.url = url;
        this.name = name(url, LedgerName::realOf);
        this.written = name(url, Path::normalize);
        this.ids = ids;
        String rest = name.substring(name.indexOf(':') + 1);
        // Other ledgers in files look themselves, and a compaction of theirs replaces the file.
        this.file = LedgerUrl.parse(url).scheme().equals("sqlite") && rest.startsWith("/") ? Path.of(rest) : null;
        this.fileKey = fileKey(file);
    }

    /** The id that this very ledger has got from its first server: another file at the same path has another one. */
    String id() {
        String known = id;
        if (known == null) {
            known = ids.get();
            id = known;
        }
        return known;
    }

    /** Refuses to go on when the file was removed or replaced: what is written now would be lost with this process. */
    void requireFile() {
        if (file == null) {
            return;
        }
        Object before = fileKey;
        Object now = fileKey(file);
        if (before == null) {
            fileKey = now;
        } else if (!before.equals(now)) {
            throw new ApiException(
                    ApiError.UNREADABLE,
                    "the file of the ledger " + shown() + " was removed or replaced under this server. Put it back, or "
                            + "start the server again. Nothing was done");
        }
    }

    private static @Nullable Object fileKey(@Nullable Path file) {
        try {
            return file == null
                    ? null
                    : Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        } catch (IOException e) {
            return null;
        }
    }

    /** The ledger as it may be shown. */
    String shown() {
        return LedgerUrl.masked(url);
    }

    /**
     * Refuses a client that means another ledger. Only a program of the server's user may name a file by another path, since
     * the server looks for it on its disk.
     */
    void require(@Nullable String wanted, Caller caller) {
        if (wanted == null) {
            return;
        } else if (wanted.getBytes(StandardCharsets.UTF_8).length > LONGEST) {
            throw ApiException.malformed("'ledger' has at most " + LONGEST + " bytes. Nothing was done");
        }
        String other;
        try {
            other = name(wanted, caller.isOwn() ? LedgerName::realOf : Path::normalize);
        } catch (IllegalArgumentException e) {
            throw ApiException.malformed("'ledger': " + e.getMessage());
        }
        if (!other.equals(name) && !other.equals(written)) {
            throw new ApiException(
                    ApiError.MISMATCH,
                    "this server has the ledger " + shown() + ", not " + LedgerUrl.masked(wanted)
                            + ". Start one for that ledger, or name this one. Nothing was done");
        }
    }

    private static String name(String url, UnaryOperator<Path> place) {
        LedgerUrl parsed = LedgerUrl.parse(url);
        if (FILES.contains(parsed.scheme())) {
            return parsed.scheme() + ":" + path(parsed.rest(), place);
        }
        URI uri = parsed.rest().startsWith("//") ? URI.create(parsed.scheme() + ":" + parsed.rest()) : null;
        if (uri == null || uri.getHost() == null) {
            return parsed.scheme() + ":" + parsed.rest();
        }
        TreeMap<String, String> options = new TreeMap<>(parsed.options());
        options.keySet().retainAll(COUNTING);
        String host = uri.getHost().toLowerCase(Locale.ROOT);
        return parsed.scheme() + "://" + host + ":" + port(uri) + uri.getPath() + options;
    }

    private static int port(URI uri) {
        if (uri.getPort() >= 0) {
            return uri.getPort();
        }
        return uri.getScheme().equals("postgresql") ? 5432 : 6379;
    }

    private static String path(String rest, UnaryOperator<Path> place) {
        if (rest.isEmpty() || rest.startsWith(":")) {
            return rest;
        }
        try {
            Path path = Path.of(rest);
            if (!path.isAbsolute()) {
                throw new IllegalArgumentException("the path '" + rest + "' is relative; make it absolute once, "
                        + "before the first request: a server has another working directory");
            }
            return place.apply(path).toString();
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("'" + rest + "' is no path", e);
        }
    }

    private static Path realOf(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            Path parent = path.getParent();
            return parent == null ? path : realOf(parent).resolve(path.getFileName());
        }
    }
}
