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
    private static final Map<String, Start> ALL = new TreeMap<>(Map.of(
            "sqlite", SqliteSubject::new,
            "jsonl", JsonlSubject::new,
            "postgresql", PostgresqlSubject::new,
            "redis", RedisSubject::new));

    private Subjects() {}

    /** Starts a ledger in a folder. */
    @FunctionalInterface
    private interface Start {
        Subject in(Path folder) throws IOException;
    }

    /** The names of those whose ledger is on the class path. */
    public static Set<String> names() {
        Set<String> names = new TreeSet<>();
        for (LedgerProvider provider : ServiceLoader.load(LedgerProvider.class)) {
            names.add(provider.scheme());
        }
        names.retainAll(ALL.keySet());
        return names;
    }

    /**
     * Starts the ledger with this name.
     *
     * @throws IllegalArgumentException when there is none
     */
    public static Subject start(String name, Path folder) throws IOException {
        Start start = ALL.get(name);
        if (start == null || !names().contains(name)) {
            throw new IllegalArgumentException("there is no ledger '" + name + "' here; there is " + names());
        }
        return start.in(folder);
    }
}
