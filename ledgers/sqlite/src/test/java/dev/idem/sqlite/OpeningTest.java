package dev.idem.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.Address;
import dev.idem.LedgerException;
import dev.idem.LedgerUnavailableException;
import dev.idem.LedgerUnreadableException;
import dev.idem.internal.sql.Migration;
import dev.idem.spi.AttemptId;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.LedgerUrl;
import dev.idem.spi.Ledgers;
import dev.idem.spi.Owner;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Figures;
import dev.idem.spi.browse.Match;
import dev.idem.spi.browse.Query;
import dev.idem.testkit.MemoryFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that can't be a ledger is said to be so, with what to do, and is left as it is. */
class OpeningTest {
    @TempDir(factory = MemoryFolder.class)
    Path folder;

    @Test
    void allFilesAreForTheOwnerAlone() throws IOException {
        Path file = folder.resolve("idem.db");
        try (Ledger ledger = Ledgers.open("sqlite:" + file)) {
            Fixtures.complete(ledger, "k");
            assertThat(mode(file)).isEqualTo("rw-------");
            assertThat(mode(Path.of(file + "-wal"))).isEqualTo("rw-------");
            assertThat(mode(Path.of(file + "-shm"))).isEqualTo("rw-------");
            assertThat(mode(Path.of(file + ".lock"))).isEqualTo("rw-------");
        }
    }

    /** A mistyped path would be an empty ledger, and what has run would run again. */
    @Test
    void aFolderThatIsNotThereIsNotMade() {
        Path file = folder.resolve("stat/idem/idem.db");

        assertThatThrownBy(() -> Ledgers.open("sqlite:" + file))
                .isInstanceOf(LedgerUnavailableException.class)
                .hasMessageContaining("the folder of ledger " + file + " does not exist")
                .hasMessageContaining("mkdir -p " + file.getParent());

        assertThat(folder.resolve("stat")).doesNotExist();
    }

    @Test
    void anEmptyFileIsANewLedger() throws IOException {
        Path file = Files.createFile(folder.resolve("idem.db"));
        try (Ledger ledger = Fixtures.open(file)) {
            assertThat(Fixtures.complete(ledger, "k").attempt()).isEqualTo(1);
        }
    }

    @Test
    void twoNamesOfOneFileAreOneLedger() throws IOException {
        Path file = folder.resolve("idem.db");
        try (Ledger ledger = Fixtures.open(file)) {
            Fixtures.complete(ledger, "k");
            Path link = Files.createSymbolicLink(folder.resolve("link.db"), file);
            try (Ledger same = Fixtures.open(link)) {
                assertThat(same.find(Fixtures.address("k"))).isPresent();
            }
        }
        assertThat(folder.resolve("link.db-wal")).doesNotExist();
        assertThat(folder.resolve("link.db.lock")).doesNotExist();
    }

    @Test
    void aDirectoryIsRefused() {
        assertThatThrownBy(() -> Fixtures.open(folder))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("is a directory. Name a file in it, for instance sqlite:" + folder.toString());
    }

    @Test
    void aLinkToNowhereIsRefused() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link.db"), folder.resolve("nowhere"));
        assertThatThrownBy(() -> Fixtures.open(link))
                .isInstanceOf(LedgerUnavailableException.class)
                .hasMessageContaining("is a symbolic link to a file that does not exist");
    }

    @Test
    void aFileInThePlaceOfTheFolderIsRefused() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThatThrownBy(() -> Fixtures.open(file.resolve("idem.db")))
                .isInstanceOf(LedgerUnavailableException.class)
                .hasMessageContaining("is no folder")
                .hasMessageContaining("name another ledger");
    }

    @Test
    void aFolderWhereNothingCanBeCreatedIsRefused() {
        assumeTrue(Files.isDirectory(Path.of("/proc/self")), "needs /proc, where nobody can create a file");
        assertThatThrownBy(() -> Fixtures.open(Path.of("/proc/idem.db")))
                .isInstanceOfAny(LedgerUnavailableException.class, LedgerUnreadableException.class)
                .hasMessageContaining("name another ledger");
    }

    @Test
    void aReadOnlyFileOrFolderIsRefused() throws IOException {
        assumeFalse("root".equals(System.getProperty("user.name")), "nothing is read-only for root");
        Path file = folder.resolve("idem.db");
        Fixtures.open(file).close();
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
        assertThatThrownBy(() -> Fixtures.open(file))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("is read-only for this user. Make it writable");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("r-x------"));
        try {
            assertThatThrownBy(() -> Fixtures.open(file)).hasMessageContaining("make the folder writable");
        } finally {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        }
    }

    @Test
    void aFileThatIsNotSqliteIsRefusedAndLeftAlone() throws IOException {
        Path file = Files.writeString(folder.resolve("notes.txt"), "Dear diary,\n".repeat(500));
        assertThatThrownBy(() -> Fixtures.open(file))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("is not a SQLite database. It was left as it is; name another file");
        assertThat(file).hasContent("Dear diary,\n".repeat(500));
    }

    @Test
    void anotherProgramsDatabaseIsRefusedAndLeftAlone() throws IOException, SQLException {
        Path file = folder.resolve("theirs.db");
        Fixtures.meddle(file, "CREATE TABLE customer (name TEXT); INSERT INTO customer VALUES ('Ada')");
        byte[] before = Files.readAllBytes(file);
        assertThatThrownBy(() -> Fixtures.open(file))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("is a SQLite database of another program")
                .hasMessageContaining("name another file");
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    @Test
    void aNewerFormatIsRefusedAndLeftAlone() throws SQLException, IOException {
        Path file = folder.resolve("idem.db");
        Fixtures.open(file).close();
        Fixtures.meddle(file, "PRAGMA user_version = 999");
        byte[] before = Files.readAllBytes(file);
        assertThatThrownBy(() -> Fixtures.open(file))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("was written by a newer version of Idem (format 999, this one knows "
                        + Opening.MIGRATION_FILES.size() + "): upgrade");
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    /** Texts are written as UTF-8, and would be cut there. */
    @Test
    void aFileForOtherTextsThanUtf8IsRefusedAndLeftAlone() throws IOException, SQLException {
        Path file = folder.resolve("theirs.db");
        Fixtures.meddle(file, "PRAGMA encoding = 'UTF-16'; CREATE TABLE t (c TEXT); DROP TABLE t");
        byte[] before = Files.readAllBytes(file);
        assertThatThrownBy(() -> Fixtures.open(file))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("is a SQLite database of another program");
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    @Test
    void aFormatThatWasMadeByOtherStepsIsRefusedAndLeftAlone() throws SQLException, IOException {
        Path file = folder.resolve("idem.db");
        try (Ledger ledger = Fixtures.open(file)) {
            Fixtures.complete(ledger, "k");
        }
        Fixtures.meddle(file, "UPDATE migration SET checksum = 'c0ffee'");
        byte[] before = Files.readAllBytes(file);
        assertThatThrownBy(() -> Fixtures.open(file))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("step 001-entries.sql was applied with another text")
                .hasMessageContaining("Use the version of Idem that wrote it, or name another ledger");
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    @Test
    void aFileThatAnotherProgramTookOutOfWalModeIsPutBack() throws SQLException {
        Path file = folder.resolve("idem.db");
        try (Ledger ledger = Fixtures.open(file)) {
            Fixtures.complete(ledger, "k");
        }
        Fixtures.meddle(file, "PRAGMA journal_mode = DELETE");
        try (Ledger ledger = Fixtures.open(file)) {
            assertThat(ledger.find(Fixtures.address("k"))).isPresent();
        }
    }

    @Test
    void aFileThatVanishesDoesNotComeBackEmpty() throws IOException {
        Path file = folder.resolve("idem.db");
        Fixtures.open(file).close();
        Path moved = Files.move(file, folder.resolve("moved.db"));
        SqliteOptions options = SqliteOptions.at(file);
        DatabaseFile gone = DatabaseFile.locate(file);
        SqliteErrors errors = new SqliteErrors(file, options.busy());
        assertThatThrownBy(() -> new Opening(SqliteConnection.Driver.real(), gone, options, errors, false).next())
                .isInstanceOf(LedgerUnavailableException.class)
                .hasMessageContaining("can't be opened");
        assertThat(file).doesNotExist();
        assertThat(moved).exists();
    }

    @Test
    void settingsThatDoNotTakeAreNamed() {
        Header header = new Header(Header.IDEM, 1, "delete", 1, 0, 5, "UTF-16le", 9);
        assertThat(header.refusedSettings(10_000))
                .containsExactly(
                        "journal_mode is delete instead of wal",
                        "synchronous is 1 instead of 2 (FULL)",
                        "recursive_triggers is off",
                        "encoding is UTF-16le instead of UTF-8",
                        "busy_timeout is 5 instead of 10000");
        assertThat(new Header(Header.IDEM, 1, "wal", 2, 1, 10_000, "UTF-8", 9).refusedSettings(10_000))
                .isEmpty();
    }

    @Test
    void everyMigrationInTheJarIsKnown() throws Exception {
        Path resources = Path.of(Opening.class.getResource("migrations").toURI());
        try (var files = Files.list(resources)) {
            assertThat(files.map(each -> each.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(Opening.MIGRATION_FILES);
        }
    }

    @Test
    void theChecksumsAreThoseOfTheTexts() {
        assertThat(Opening.migrations().pending(Map.of(), ""))
                .extracting(Migration::checksum)
                .isEqualTo(Opening.CHECKSUMS);
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void aLedgerIsLookedAtAndNothingIsWritten() throws IOException {
        Path file = folder.resolve("idem.db");
        Fixtures.open(file).close();
        byte[] before = Files.readAllBytes(file);
        LedgerContext looking = LedgerContext.ofHost(Host.system()).forReading();
        try (Ledger look = new SqliteLedgerProvider().open(LedgerUrl.parse("sqlite:" + file), looking)) {
            assertThat(look.as(Browsable.class)
                            .orElseThrow()
                            .browse(Query.all())
                            .entries())
                    .isEmpty();
            ClaimRequest request = ClaimRequest.of(
                    new AttemptId(1, 2), new Address("s", "o", "k"), Fingerprints.NONE, Owner.named("me"));
            assertThatThrownBy(() -> look.claim(request)).isInstanceOf(LedgerException.class);
        }
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    /** A look changes nothing, and refused a ledger that only lacked the newest indexes. */
    @Test
    void aLookReadsAFileOfTheFirstFormatAndAWriterBringsItUpToDate() throws SQLException {
        Path file = folder.resolve("idem.db");
        try (Ledger ledger = Fixtures.open(file)) {
            Fixtures.complete(ledger, "k");
        }
        Fixtures.meddle(
                file,
                "DROP TABLE hours; DROP INDEX entries_scope; DROP INDEX entries_open; DELETE FROM migration WHERE version > 1; PRAGMA user_version = 1");
        LedgerContext looking = LedgerContext.ofHost(Host.system()).forReading();
        try (Ledger look = new SqliteLedgerProvider().open(LedgerUrl.parse("sqlite:" + file), looking)) {
            assertThat(look.as(Browsable.class)
                            .orElseThrow()
                            .browse(Query.all().withKeyLike(Match.prefix("k")))
                            .entries())
                    .hasSize(1);
            assertThat(figures(look)).isEmpty();
        }
        try (Ledger ledger = Fixtures.open(file)) {
            // What was purged before the update, nothing tells.
            assertThat(figures(ledger)).get().extracting(Figures::from).isNotNull();
        }
        try (Connection connection = Fixtures.stranger(file);
                ResultSet indexes = connection
                        .createStatement()
                        .executeQuery(
                                "SELECT count(*) FROM sqlite_master WHERE name IN ('entries_scope', 'entries_open')")) {
            assertThat(indexes.getInt(1)).isEqualTo(2);
        }
    }

    private static Optional<Figures> figures(Ledger ledger) {
        return ledger.as(Browsable.class).orElseThrow().figures(Query.all().withAge(null, Duration.ofDays(1)));
    }

    @Test
    void lookingAtAFileThatIsNotThereMakesNone() {
        Path file = folder.resolve("mistyped.db");
        LedgerContext looking = LedgerContext.ofHost(Host.system()).forReading();
        assertThatThrownBy(() -> new SqliteLedgerProvider().open(LedgerUrl.parse("sqlite:" + file), looking))
                .isInstanceOf(LedgerException.class)
                .hasMessageContaining("reading does not create a ledger");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void theRootFolderIsNoLedger() {
        assertThatThrownBy(() -> DatabaseFile.locate(Path.of("/")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is a folder");
    }
}
