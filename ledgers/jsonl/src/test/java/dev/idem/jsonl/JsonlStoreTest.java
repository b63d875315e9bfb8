package dev.idem.jsonl;

import dev.idem.spi.EntryStore;
import dev.idem.spi.LedgerContext;
import dev.idem.testkit.MemoryFolder;
import dev.idem.testkit.store.StoreContract;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.io.TempDir;

/** The JSONL store does what stores do. */
class JsonlStoreTest extends StoreContract {
    @TempDir(factory = MemoryFolder.class)
    static Path folder;

    @Override
    protected EntryStore open(LedgerContext context) {
        return JsonlStore.open(JsonlOptions.at(folder.resolve(UUID.randomUUID() + ".jsonl")), context);
    }
}
