package dev.idem.sqlite;

import dev.idem.seal.SealKeys;
import dev.idem.seal.SealedLedger;
import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.MemoryFolder;
import dev.idem.testkit.transaction.TransactionContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Results are sealed in transactions too. */
class SealedSqliteTransactionTest extends TransactionContract {
    private static final SealKeys KEYS = SealKeys.of("a", new byte[32]);

    @TempDir(factory = MemoryFolder.class)
    Path folder;

    @Override
    protected LedgerFixture fixture() {
        SqliteOptions options = SqliteOptions.at(folder.resolve("idem.db"));
        return LedgerFixture.durable(context -> new SealedLedger(TestLedger.open(options, context), KEYS));
    }
}
