package dev.idem.sqlite;

import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.MemoryFolder;
import dev.idem.testkit.contract.LedgerContract;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.io.TempDir;

/** The SQLite ledger keeps every promise a ledger makes. */
class SqliteContractTest extends LedgerContract {
    @TempDir(factory = MemoryFolder.class)
    static Path folder;

    @Override
    protected LedgerFixture fixture() {
        SqliteOptions options = SqliteOptions.at(folder.resolve(UUID.randomUUID() + ".db"));
        return LedgerFixture.durable(context -> TestLedger.open(options, context));
    }
}
