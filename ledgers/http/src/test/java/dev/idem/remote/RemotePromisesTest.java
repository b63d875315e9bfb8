package dev.idem.remote;

import dev.idem.spi.Ledgers;
import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.MemoryFolder;
import dev.idem.testkit.contract.Promise;
import dev.idem.testkit.contract.PromiseContract;
import dev.idem.testkit.contract.PromiseTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The page on guarantees says of the remote ledger what it does, in front of a SQLite ledger. */
class RemotePromisesTest extends PromiseContract {
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
        return stores.fixture(context -> Ledgers.open("sqlite:" + file, context));
    }

    @Override
    protected Map<Promise, Boolean> said() {
        try {
            return PromiseTable.on(Files.readString(Path.of("../../docs/guarantees.md")))
                    .of("https:");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
