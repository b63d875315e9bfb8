package dev.idem.agent.ensure;

import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.testkit.LedgerFixture;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.io.TempDir;

class EnsureOnSqliteTest extends EnsureContract {
    @TempDir
    static Path folder;

    @Override
    protected LedgerFixture fixture() {
        String url = "sqlite:" + folder.resolve(UUID.randomUUID() + ".db");
        return LedgerFixture.durable(context -> Ledgers.open(url, context));
    }

    @Override
    protected Ledger anotherHandle() {
        return another();
    }
}
