package dev.idem.agent.approval;

import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

final class SqliteApprovalTest extends ApprovalContract {
    @TempDir
    private Path folder;

    @Override
    Ledger open() {
        return Ledgers.open("sqlite:" + folder.resolve("idem.db"));
    }
}
