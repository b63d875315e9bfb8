package dev.idem.agent.inbox;

import dev.idem.spi.Ledgers;
import dev.idem.testkit.LedgerFixture;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.io.TempDir;

/** The same on a ledger that outlives its process. */
class InboxOnSqliteTest extends InboxTest {
    @TempDir
    static Path folder;

    @Override
    protected LedgerFixture fixture() {
        String url = "sqlite:" + folder.resolve(UUID.randomUUID() + ".db");
        return LedgerFixture.durable(context -> Ledgers.open(url, context));
    }
}
