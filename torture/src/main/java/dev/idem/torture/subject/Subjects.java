package dev.idem.torture.subject;

import dev.idem.spi.LedgerProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The ledgers that can be tortured. */
public final class Subjects {
    /** Does not wait for its replica, and loses what the documentation says. */
    public static final String UNWAITED = "redis-unwaited";

    private static final Map<String, Start> ALL = new TreeMap<>(Map.of(
            "sqlite",
            (folder, deeds) -> new SqliteSubject(folder),
            "jsonl",
            (folder, deeds) -> new JsonlSubject(folder),
            "http",
            (folder, deeds) -> new HttpSubject(folder),
            "postgresql",
            PostgresqlSubject::new,
            "redis",
            RedisSubject::new,
            "redis-replicated",
            (folder, deeds) -> new ReplicatedRedisSubject(folder, "?wait=1"),
            UNWAITED,
            (folder, deeds) -> new ReplicatedRedisSubject(folder, "")));

    private Subjects() {}

    /** Starts a ledger in a folder. */
    @FunctionalInterface
    private interface Start {
        Subject in(Path folder, Set<Deed> deeds) throws IOException;
    }

    /** The names of those whose ledger is on the class path. */
    public static Set<String> names() {
        Set<String> schemes = new TreeSet<>();
        for (LedgerProvider provider : ServiceLoader.load(LedgerProvider.class)) {
            schemes.add(provider.scheme());
        }
        Set<String> names = new TreeSet<>(ALL.keySet());
        names.removeIf(name -> !schemes.contains(name.replaceAll("-.*", "")));
        return names;
    }

    /**
     * Starts the ledger with this name, prepared for these faults where they need preparation.
     *
     * @throws IllegalArgumentException when there is none
     * @throws UnsupportedOperationException when a server's clock is to jump and can't
     */
    public static Subject start(String name, Path folder, Set<Deed> deeds) throws IOException {
        Start start = ALL.get(name);
        if (start == null || !names().contains(name)) {
            throw new IllegalArgumentException("there is no ledger '" + name + "' here; there is " + names());
        }
        return start.in(folder, deeds);
    }
}
