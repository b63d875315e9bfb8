package dev.idem.sqlite;

import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.MemoryFolder;
import dev.idem.testkit.hazard.HazardContract;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.io.TempDir;

/** The hazards of other libraries, on the SQLite ledger. */
class SqliteHazardsTest extends HazardContract {
    @TempDir(factory = MemoryFolder.class)
    static Path folder;

    @Override
    protected LedgerFixture fixture() {
        SqliteOptions options = SqliteOptions.at(folder.resolve(UUID.randomUUID() + ".db"));
        return LedgerFixture.durable(context -> TestLedger.open(options, context));
    }
}
