package dev.idem.sqlite;

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
import org.junit.jupiter.api.io.TempDir;

/** The page on guarantees says of the SQLite ledger what it does. */
class SqlitePromisesTest extends PromiseContract {
    @TempDir(factory = MemoryFolder.class)
    Path folder;

    @Override
    protected LedgerFixture fixture() {
        SqliteOptions options = SqliteOptions.at(folder.resolve("idem.db"));
        return LedgerFixture.durable(context -> TestLedger.open(options, context));
    }

    @Override
    protected Map<Promise, Boolean> said() {
        try {
            return PromiseTable.on(Files.readString(Path.of("../../docs/guarantees.md")))
                    .of("sqlite:");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
