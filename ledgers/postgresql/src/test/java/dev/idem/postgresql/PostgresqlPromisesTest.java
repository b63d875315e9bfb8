package dev.idem.postgresql;

import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.contract.Promise;
import dev.idem.testkit.contract.PromiseContract;
import dev.idem.testkit.contract.PromiseTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The page on guarantees says of the PostgreSQL ledger what it does. */
class PostgresqlPromisesTest extends PromiseContract {
    @Override
    protected LedgerFixture fixture() {
        return TestServer.shared().fixture(PostgresqlSettings.defaults());
    }

    @Override
    protected Map<Promise, Boolean> said() {
        try {
            return PromiseTable.on(Files.readString(Path.of("../../docs/guarantees.md")))
                    .of("postgresql:");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
