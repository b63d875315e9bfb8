package dev.idem.agent.cache;

import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Ledgers;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The same on a ledger that several processes share, each with a handle of its own. */
class LedgerStoreOnSqliteTest extends LedgerStoreTest {
    @TempDir
    Path folder;

    @Override
    Ledger open(LedgerContext context) {
        return Ledgers.open("sqlite:" + folder.resolve("idem.db"), context);
    }

    @Override
    Ledger another(Ledger opened, LedgerContext context) {
        return open(context);
    }
}
