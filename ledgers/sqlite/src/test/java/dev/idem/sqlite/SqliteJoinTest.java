package dev.idem.sqlite;

import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.MemoryFolder;
import dev.idem.testkit.transaction.JoinContract;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;

/** Entries in transactions of an application that keeps its rows in the file of the ledger. */
class SqliteJoinTest extends JoinContract {
    @TempDir(factory = MemoryFolder.class)
    Path folder;

    @Override
    protected LedgerFixture fixture() {
        SqliteOptions options = SqliteOptions.at(folder.resolve("idem.db")).withBusy(Duration.ofMillis(300));
        return LedgerFixture.durable(context -> TestLedger.open(options, context));
    }

    @Override
    protected Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("idem.db"));
    }
}
