package dev.idem.remote;

import dev.idem.spi.Ledgers;
import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.MemoryFolder;
import dev.idem.testkit.contract.LedgerContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The remote ledger keeps every promise a ledger makes, over TCP. */
@Tag("proof")
class NetworkContractTest extends LedgerContract {
    @TempDir(factory = MemoryFolder.class)
    static Path folder;

    private static Stores stores;

    @BeforeAll
    static void start() {
        stores = new Stores(TestServer::overTcp, folder);
    }

    @AfterAll
    static void stop() {
        stores.close();
    }

    @Override
    protected LedgerFixture fixture() {
        Path file = TestServer.folder(folder).resolve("idem.db");
        return stores.fixture(context -> Ledgers.open("sqlite:" + file, context));
    }
}
