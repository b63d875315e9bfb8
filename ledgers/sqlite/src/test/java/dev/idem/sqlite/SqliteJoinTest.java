package dev.idem.sqlite;

import dev.idem.testkit.JoinContract;
import dev.idem.testkit.LedgerFixture;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.io.TempDir;

/** Entries in transactions of an application that keeps its rows in the file of the ledger. */
class SqliteJoinTest extends JoinContract {
    @TempDir(factory = MemoryFolder.class)
    Path folder;

    @Override
    protected LedgerFixture fixture() {
        return LedgerFixture.durable(context -> TestLedger.open(SqliteOptions.at(folder.resolve("idem.db")), context));
    }

    @Override
    protected Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("idem.db"));
    }
}
