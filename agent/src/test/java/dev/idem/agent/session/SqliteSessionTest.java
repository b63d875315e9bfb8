package dev.idem.agent.session;

import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

final class SqliteSessionTest extends SessionContract {
    @TempDir
    private Path folder;

    @Override
    Ledger open() {
        return Ledgers.open("sqlite:" + folder.resolve("idem.db"));
    }

    @Override
    void close(Ledger opened) {
        opened.close();
    }
}
