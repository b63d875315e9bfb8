package dev.idem.jsonl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.idem.LedgerException;
import dev.idem.LedgerUnavailableException;
import dev.idem.LedgerUnreadableException;
import dev.idem.spi.Claim;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Ledgers;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import dev.idem.testkit.LogLines;
import dev.idem.testkit.MemoryFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file that can't be a ledger is said to be so, with what to do, and is left as it is. */
class OpeningTest {
    @TempDir(factory = MemoryFolder.class)
    Path folder;

    @Test
    void allFilesAreForTheOwnerAlone() throws IOException {
        Path file = folder.resolve("idem.jsonl");
        try (Ledger ledger = Ledgers.open("jsonl:" + file)) {
            Fixtures.complete(ledger, "k");
            assertThat(mode(file)).isEqualTo("rw-------");
            assertThat(mode(Path.of(file + ".lock"))).isEqualTo("rw-------");
        }
    }

    /** A mistyped path would be an empty ledger, and what has run would run again. */
    @Test
    void aFolderThatIsNotThereIsNotMade() {
        Path file = folder.resolve("stat/idem/idem.jsonl");

        assertThatThrownBy(() -> Ledgers.open("jsonl:" + file))
                .isInstanceOf(LedgerUnavailableException.class)
                .hasMessageContaining("the folder of ledger jsonl:" + file + " does not exist")
                .hasMessageContaining("mkdir -p " + file.getParent());

        assertThat(folder.resolve("stat")).doesNotExist();
    }

    @Test
    void anEmptyFileIsANewLedger() throws IOException {
        Path file = Files.createFile(folder.resolve("idem.jsonl"));
        try (Ledger ledger = Fixtures.open(file)) {
            Fixtures.complete(ledger, "k");
        }
        try (Ledger ledger = Fixtures.open(file)) {
            assertThat(ledger.claim(Fixtures.request("k"))).isInstanceOf(Claim.Replay.class);
        }
        assertThat(mode(file)).isEqualTo("rw-------");
    }

    @Test
    void twoNamesForOneFileAreOneLedger() throws IOException {
        Path file = folder.resolve("idem.jsonl");
        try (Ledger first = Fixtures.open(file)) {
            Path link = Files.createSymbolicLink(folder.resolve("link.jsonl"), file);
            try (Ledger second = Fixtures.open(link)) {
                Fixtures.complete(first, "k");
                assertThat(second.claim(Fixtures.request("k"))).isInstanceOf(Claim.Replay.class);
            }
            assertThat(first.find(Fixtures.address("k"))).isPresent();
        }
    }

    @Test
    void aLinkToNothingIsRefused() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link.jsonl"), folder.resolve("nothing"));
        assertThatThrownBy(() -> Fixtures.open(link))
                .isInstanceOf(LedgerUnavailableException.class)
                .hasMessageContaining("symbolic link");
    }

    @Test
    void aDirectoryIsRefused() {
        assertThatThrownBy(() -> Fixtures.open(folder))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("is a directory")
                .hasMessageContaining("idem.jsonl");
    }

    @Test
    void aFileThatIsReadOnlyIsRefused() throws IOException {
        Path file = folder.resolve("idem.jsonl");
        try (Ledger ledger = Fixtures.open(file)) {
            Fixtures.complete(ledger, "k");
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
        assumeFalse(Files.isWritable(file), "this user may write to read-only files");
        byte[] before = Files.readAllBytes(file);
        assertThatThrownBy(() -> Fixtures.open(file))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("Make it writable");
        assertThat(file).hasBinaryContent(before);
    }

    @Test
    void aNewerFormatIsRefusedAndLeftAlone() throws IOException {
        Path file = folder.resolve("idem.jsonl");
        String newer =
                "{\"id\":\"\",\"state\":\"ledger\",\"format\":\"idem-jsonl\",\"version\":2,\"crc\":\"00000000\"}\n";
        Files.writeString(file, newer);
        assertThatThrownBy(() -> Fixtures.open(file))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("format version 2")
                .hasMessageContaining("Use a newer version of Idem");
        assertThat(file).hasContent(newer);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SQLite format 3\0 and so on",
                "just a text",
                "just a text\nof two lines\n",
                "[1,2,3]\n",
                "{\"name\":\"something else\"}\n",
                "{\"id\":\"k\",\"state\":\"asleep\"}\n",
                "{\"id\":\"\",\"state\":\"complete\"}\n",
                "\n\n",
                "\u0000\u0000\u0000"
            })
    void aFileThatIsNoLedgerIsRefusedAndLeftAlone(String content) throws IOException {
        Path file = folder.resolve("idem.jsonl");
        Files.writeString(file, content);
        assertThatThrownBy(() -> Fixtures.open(file))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining(file.toString());
        assertThat(Files.readString(file)).isEqualTo(content);
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("idem.jsonl", "idem.jsonl.lock");
    }

    @Test
    void whatACompactionHasLeftIsRemoved() throws IOException {
        Path file = folder.resolve("idem.jsonl");
        Files.writeString(NewFile.beside(file), "half a line");
        try (Ledger ledger = Fixtures.open(file)) {
            Fixtures.complete(ledger, "k");
        }
        assertThat(NewFile.beside(file)).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"jsonl:", "jsonl://host/idem.jsonl", "jsonl:idem.jsonl?trail=off"})
    void aUrlThatCanNotBeIsRefused(String url) {
        assertThatThrownBy(() -> Ledgers.open(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("jsonl:");
    }

    @Test
    void theRootFolderIsNoLedger() {
        assertThatThrownBy(() -> Ledgers.open("jsonl:/"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("/ is a folder. Name a file in it, for instance jsonl:/idem.jsonl");
    }

    @Test
    void saysWhatItIs() {
        Path file = folder.resolve("idem.jsonl");
        try (Ledger ledger = Fixtures.open(file)) {
            assertThat(ledger.describe()).isEqualTo("jsonl:" + file + " (for this process alone)");
        }
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    /** A person looks while the program that owns the file runs, or without a right to write. */
    @Test
    void aLedgerIsLookedAtWhileAnotherHasItAndNothingIsWritten() throws IOException {
        Path file = folder.resolve("idem.jsonl");
        LedgerContext looking = LedgerContext.ofHost(Host.system()).forReading();
        try (Ledger owner = Ledgers.open("jsonl:" + file)) {
            Fixtures.complete(owner, "k");
            byte[] before = Files.readAllBytes(file);
            try (Ledger look = Ledgers.open("jsonl:" + file, looking)) {
                assertThat(look.as(Browsable.class)
                                .orElseThrow()
                                .browse(Query.all())
                                .entries())
                        .hasSize(1);
                assertThatThrownBy(() -> Fixtures.complete(look, "other"))
                        .isInstanceOf(LedgerException.class)
                        .hasMessageContaining("opened for reading alone");
            }
            assertThat(Files.readAllBytes(file)).isEqualTo(before);
        }
    }

    @Test
    void lookingAtAFileThatIsNotThereMakesNone() {
        Path file = folder.resolve("mistyped.jsonl");
        LedgerContext looking = LedgerContext.ofHost(Host.system()).forReading();
        assertThatThrownBy(() -> Ledgers.open("jsonl:" + file, looking))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("reading does not create a ledger");
        assertThat(folder).isEmptyDirectory();
    }

    /** The file was read once, when the look began: a watch showed the same picture for ever. */
    @Test
    void aLookSeesWhatTheOwnerWritesLater() throws IOException {
        Path file = folder.resolve("idem.jsonl");
        LedgerContext looking = LedgerContext.ofHost(Host.system()).forReading();
        try (Ledger owner = Ledgers.open("jsonl:" + file)) {
            Fixtures.complete(owner, "first");
            try (Ledger look = Ledgers.open("jsonl:" + file, looking)) {
                assertThat(keys(look)).containsExactly("first");
                Fixtures.complete(owner, "second");
                assertThat(keys(look)).containsExactly("second", "first");
                assertThat(look.find(Fixtures.address("second"))).isPresent();

                // As a compaction does.
                Path next = folder.resolve("next.jsonl");
                try (Ledger other = Ledgers.open("jsonl:" + next)) {
                    Fixtures.complete(other, "other");
                }
                Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
                assertThat(keys(look)).containsExactly("other");
            }
        }
    }

    /** A look while a batch is being written said that its beginning had been cut off and kept in a file. */
    @Test
    void aLookSaysNothingOfChangesThatItDoesNotMake() throws IOException {
        Path file = folder.resolve("idem.jsonl");
        try (Ledger owner = Ledgers.open("jsonl:" + file)) {
            Fixtures.complete(owner, "k");
        }
        Files.writeString(file, "{\"half", StandardOpenOption.APPEND);
        LedgerContext looking = LedgerContext.ofHost(Host.system()).forReading();
        try (LogLines lines = LogLines.of(Opening.class.getName());
                Ledger look = Ledgers.open("jsonl:" + file, looking)) {
            assertThat(keys(look)).containsExactly("k");
            assertThat(lines.warnings()).isEmpty();
        }
    }

    private static List<String> keys(Ledger ledger) {
        return ledger.as(Browsable.class).orElseThrow().browse(Query.all()).entries().stream()
                .map(entry -> entry.address().key())
                .toList();
    }
}
