package dev.idem.benchmarks;

import dev.idem.Idem;
import dev.idem.lab.PostgresqlServer;
import java.nio.file.Path;

/** Opens the measured ledgers. */
final class Ledgers {
    private Ledgers() {}

    static Idem inMemory() {
        return Idem.builder().ledger("memory:").quiet().open();
    }

    static Idem inSqlite(Path file) {
        return Idem.builder().ledger("sqlite:" + file).quiet().open();
    }

    static Idem inJsonl(Path file) {
        return Idem.builder().ledger("jsonl:" + file).quiet().open();
    }

    static Idem inPostgresql(PostgresqlServer server) {
        return Idem.builder().ledger(server.url()).quiet().open();
    }

    static Idem inRedis(RedisServer server) {
        return Idem.builder()
                .ledger("redis://127.0.0.1:" + server.port() + "?check=off")
                .quiet()
                .open();
    }
}
