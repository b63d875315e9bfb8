package dev.idem.gauntlet;

import java.util.List;
import java.util.Locale;

/** Who takes part. */
final class Field {
    private Field() {}

    /** A contender by its title, and how to open it. */
    record Entry(String name, String store, Entrant entrant) {
        String title() {
            return name + " / " + store;
        }

        boolean matches(String word) {
            return title().toLowerCase(Locale.ROOT).contains(word.toLowerCase(Locale.ROOT));
        }
    }

    static List<Entry> all() {
        return List.of(
                new Entry("Idem", "memory", folder -> new IdemContender("memory", "memory:")),
                new Entry(
                        "Idem", "SQLite", folder -> new IdemContender("SQLite", "sqlite:" + folder.resolve("idem.db"))),
                new Entry(
                        "Idem", "JSONL", folder -> new IdemContender("JSONL", "jsonl:" + folder.resolve("idem.jsonl"))),
                new Entry("Powertools idempotency", "memory", folder -> new PowertoolsContender()),
                new Entry("Jdempotent", "memory", folder -> new JdempotentContender()),
                new Entry("Camel idempotent consumer", "memory", folder -> CamelContender.inMemory()),
                new Entry("Camel idempotent consumer", "Caffeine", folder -> CamelContender.inCaffeine()),
                new Entry("Camel idempotent consumer", "SQLite", CamelContender::inSqlite),
                new Entry("Spring Integration receiver", "memory", folder -> new SpringIntegrationContender()),
                new Entry("check-then-act map", "memory", folder -> new CheckThenAct()),
                new Entry("map of futures", "memory", folder -> new FutureMap()),
                new Entry("bare table", "SQLite", BareSqlite::new));
    }

    /** What one would write by hand: for files a bare table, for everything else a map. */
    static Entry floorOf(Entry entry) {
        boolean onDisk = entry.store().equals("SQLite") || entry.store().equals("JSONL");
        return all().stream()
                .filter(each -> each.name().equals(onDisk ? "bare table" : "map of futures"))
                .findFirst()
                .orElseThrow();
    }
}
