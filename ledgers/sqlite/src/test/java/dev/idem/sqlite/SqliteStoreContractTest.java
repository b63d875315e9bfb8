package dev.idem.sqlite;

import dev.idem.spi.EntryStore;
import dev.idem.spi.LedgerContext;
import dev.idem.testkit.MemoryFolder;
import dev.idem.testkit.store.StoreContract;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.io.TempDir;

/** The SQLite store does what a store has to do by itself. */
class SqliteStoreContractTest extends StoreContract {
    @TempDir(factory = MemoryFolder.class)
    static Path folder;

    @Override
    protected EntryStore open(LedgerContext context) {
        return SqliteStore.open(SqliteOptions.at(folder.resolve(UUID.randomUUID() + ".db")), context);
    }
}
