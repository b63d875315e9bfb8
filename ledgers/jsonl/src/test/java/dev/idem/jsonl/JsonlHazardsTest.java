package dev.idem.jsonl;

import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.MemoryFolder;
import dev.idem.testkit.hazard.HazardContract;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.io.TempDir;

/** The hazards of other libraries, on the JSONL ledger. */
class JsonlHazardsTest extends HazardContract {
    @TempDir(factory = MemoryFolder.class)
    static Path folder;

    @Override
    protected LedgerFixture fixture() {
        JsonlOptions options = JsonlOptions.at(folder.resolve(UUID.randomUUID() + ".jsonl"));
        return LedgerFixture.durable(context -> Fixtures.open(options, context));
    }
}
