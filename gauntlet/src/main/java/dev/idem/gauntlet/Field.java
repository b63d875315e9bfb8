package dev.idem.gauntlet;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The list of contenders. */
final class Field {
    private static final String MEMORY = "memory";
    private static final String SQLITE = "SQLite";
    private static final String JSONL = "JSONL";
    private static final String POSTGRESQL = "PostgreSQL";
    private static final String REDIS = "Redis";
    private static final String CAMEL = "Camel idempotent consumer";

    private final Servers servers;

    Field(Servers servers) {
        this.servers = servers;
    }

    /** Idem, another library, or hand-written code. */
    enum Kind {
        IDEM,
        PEER,
        FLOOR
    }

    /**
     * A contender by its title, and how to open it.
     *
     * @param judged whether its correctness is judged; else it is only a floor
     */
    record Entry(String name, String store, boolean judged, Entrant entrant) {
        Entry(String name, String store, Entrant entrant) {
            this(name, store, true, entrant);
        }

        String title() {
            return name + " / " + store;
        }

        Kind kind() {
            return switch (name) {
                case "Idem" -> Kind.IDEM;
                case "check-then-act map", "map of futures", "bare table", "bare key", "by hand" -> Kind.FLOOR;
                default -> Kind.PEER;
            };
        }

        boolean matches(String word) {
            return title().toLowerCase(Locale.ROOT).contains(word.toLowerCase(Locale.ROOT));
        }
    }

    /**
     * The floors of a store.
     *
     * @param naive the simplest code that runs once for a key
     * @param byHand Idem's own statements, sent by the bare driver; absent if a ledger is more than statements
     */
    record Floors(Entry naive, Optional<Entry> byHand) {}

    List<Entry> all() {
        return List.of(
                new Entry("Idem", MEMORY, folder -> idem(MEMORY, "memory:")),
                new Entry("Idem", SQLITE, folder -> idem(SQLITE, "sqlite:" + folder.resolve("idem.db"))),
                new Entry("Idem", JSONL, folder -> idem(JSONL, "jsonl:" + folder.resolve("idem.jsonl"))),
                new Entry("Idem", POSTGRESQL, folder -> idem(POSTGRESQL, postgresqlUrl(folder))),
                new Entry("Idem", REDIS, folder -> idem(REDIS, redisUrl(folder))),
                new Entry("DBOS Transact", POSTGRESQL, folder -> new DbosContender(servers.postgresql(), folder)),
                new Entry("Powertools idempotency", MEMORY, folder -> new PowertoolsContender()),
                new Entry("Jdempotent", MEMORY, folder -> new JdempotentContender()),
                new Entry(CAMEL, MEMORY, folder -> CamelContender.in(MEMORY, CamelStore.memory())),
                new Entry(
                        CAMEL,
                        "memory Caffeine",
                        folder -> CamelContender.in("memory Caffeine", CamelStore.caffeine())),
                new Entry(CAMEL, SQLITE, folder -> CamelContender.in(SQLITE, CamelStore.sqlite(folder))),
                new Entry(
                        CAMEL,
                        POSTGRESQL,
                        folder -> CamelContender.in(POSTGRESQL, CamelStore.postgresql(servers.postgresql(), folder))),
                new Entry(
                        CAMEL,
                        "Redis set",
                        folder -> CamelContender.in("Redis set", CamelStore.redisSet(servers.redis(), folder))),
                new Entry(
                        CAMEL,
                        "Redis string",
                        folder -> CamelContender.in("Redis string", CamelStore.redisString(servers.redis(), folder))),
                new Entry("Spring Integration receiver", MEMORY, folder -> new SpringIntegrationContender()),
                new Entry("check-then-act map", MEMORY, folder -> new CheckThenAct()),
                new Entry("map of futures", MEMORY, folder -> new FutureMap()),
                new Entry("bare table", SQLITE, BareSqlite::new),
                new Entry("bare table", POSTGRESQL, folder -> new NaivePostgresql(servers.postgresql(), folder)),
                new Entry("by hand", POSTGRESQL, false, folder -> new HandPostgresql(servers.postgresql(), folder)),
                new Entry("bare key", REDIS, folder -> new NaiveRedis(servers.redis(), folder)),
                new Entry("by hand", REDIS, false, folder -> new HandRedis(servers.redis(), folder)));
    }

    Entry titled(String title) {
        return all().stream()
                .filter(entry -> entry.title().equals(title))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no contender " + title));
    }

    /** Whether it is the naive floor of its store. */
    boolean isNaiveFloor(Entry entry) {
        return entry.title().equals(floorsOf(entry).naive().title());
    }

    /** The floors on the store of a contender. */
    Floors floorsOf(Entry entry) {
        Floors floors = floorsOn(entry);
        boolean itself = floors.byHand().map(Entry::title).equals(Optional.of(entry.title()));
        return itself ? new Floors(floors.naive(), Optional.empty()) : floors;
    }

    private Floors floorsOn(Entry entry) {
        if (entry.store().startsWith(REDIS)) {
            return new Floors(titled("bare key / Redis"), Optional.of(titled("by hand / Redis")));
        }
        return switch (entry.store()) {
            case POSTGRESQL ->
                new Floors(titled("bare table / PostgreSQL"), Optional.of(titled("by hand / PostgreSQL")));
            case SQLITE, JSONL -> new Floors(titled("bare table / SQLite"), Optional.empty());
            default -> new Floors(titled("map of futures / memory"), Optional.empty());
        };
    }

    Servers servers() {
        return servers;
    }

    private static Contender idem(String store, String url) {
        return new IdemContender(store, url);
    }

    private String postgresqlUrl(Path folder) {
        return "postgresql://postgres@127.0.0.1:" + servers.postgresql() + "/postgres?schema="
                + Postgresql.schema(folder);
    }

    private String redisUrl(Path folder) {
        return "redis://127.0.0.1:" + servers.redis() + "?prefix=" + Postgresql.schema(folder) + ":";
    }
}
