package dev.idem.remote;

import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.MemoryFolder;
import dev.idem.testkit.contract.LedgerContract;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The kit on a server that is broken on purpose; run by {@link BrokenServersTest}, never by itself. */
class KitOnBrokenServer extends LedgerContract {
    static volatile UnaryOperator<Ledger> broken = UnaryOperator.identity();

    @TempDir(factory = MemoryFolder.class)
    static Path folder;

    private static Stores stores;

    @BeforeAll
    static void start() {
        stores = new Stores(TestServer::atSocket, folder);
    }

    @AfterAll
    static void stop() {
        stores.close();
    }

    @Override
    protected LedgerFixture fixture() {
        Path file = TestServer.folder(folder).resolve("idem.db");
        return stores.fixture(context -> broken.apply(Ledgers.open("sqlite:" + file, context)));
    }
}
