package dev.idem.jsonl;

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

/** The page on guarantees says of the JSONL ledger what it does. */
class JsonlPromisesTest extends PromiseContract {
    @TempDir(factory = MemoryFolder.class)
    Path folder;

    @Override
    protected LedgerFixture fixture() {
        JsonlOptions options = JsonlOptions.at(folder.resolve("idem.jsonl"));
        return LedgerFixture.durable(context -> Fixtures.open(options, context));
    }

    @Override
    protected Map<Promise, Boolean> said() {
        try {
            return PromiseTable.on(Files.readString(Path.of("../../docs/guarantees.md")))
                    .of("jsonl:");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
