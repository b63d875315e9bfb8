package dev.idem.jsonl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.LedgerUnavailableException;
import dev.idem.LedgerUnreadableException;
import dev.idem.spi.Claim;
import dev.idem.spi.Host;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Ticket;
import dev.idem.testkit.MemoryFolder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Log rotation and cleaners delete, rename, replace and cut files. The open file took further lines and every sync
 * succeeded, so writes were acknowledged that no later process could find.
 */
class DisplacedFileTest {
    @TempDir(factory = MemoryFolder.class)
    Path folder;

    private final FaultyDisk disk = new FaultyDisk();
    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("idem.jsonl");
    }

    private TestLedger open() {
        return Fixtures.on(disk, JsonlOptions.at(file), LedgerContext.ofHost(Host.system()));
    }

    /** The things that other programs do to log files. */
    enum Mishap {
        DELETED {
            @Override
            void strike(Path file) throws IOException {
                Files.delete(file);
            }
        },
        RENAMED {
            @Override
            void strike(Path file) throws IOException {
                Files.move(file, Path.of(file + ".1"));
            }
        },
        REPLACED_BY_ITS_COPY {
            @Override
            void strike(Path file) throws IOException {
                Path copy = Files.copy(file, Path.of(file + ".copy"));
                Files.move(copy, file, StandardCopyOption.REPLACE_EXISTING);
            }
        },
        COPIED_AND_CUT {
            @Override
            void strike(Path file) throws IOException {
                Files.copy(file, Path.of(file + ".1"));
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    channel.truncate(0);
                }
            }
        },
        APPENDED_TO {
            @Override
            void strike(Path file) throws IOException {
                Files.writeString(file, "{\"id\": \"req-9\"}\n", StandardOpenOption.APPEND);
            }
        },
        LOCK_FILE_DELETED {
            @Override
            void strike(Path file) throws IOException {
                Files.delete(Path.of(file + ".lock"));
            }
        },
        LOCK_FILE_REPLACED {
            @Override
            void strike(Path file) throws IOException {
                Files.delete(Path.of(file + ".lock"));
                Files.createFile(Path.of(file + ".lock"));
            }
        };

        abstract void strike(Path file) throws IOException;
    }

    @ParameterizedTest
    @EnumSource
    void aWriteIsNotAcknowledgedAfterTheFileWasDisplaced(Mishap mishap) throws IOException {
        try (TestLedger ledger = open()) {
            Fixtures.complete(ledger, "done");
            var ticket = Fixtures.take(ledger, "k");
            mishap.strike(file);
            assertRefused(ledger, ticket);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBatchIsNotAcknowledgedIfTheFileIsDisplacedDuringItsSync(Mishap mishap) throws IOException {
        try (TestLedger ledger = open()) {
            Fixtures.complete(ledger, "done");
            var ticket = Fixtures.take(ledger, "k");
            disk.atNextSync(() -> mishap.strike(file));
            assertRefused(ledger, ticket);
        }
    }

    /** Without keys, a copy with the same first line and the same size can't be told from the file. */
    @ParameterizedTest
    @EnumSource(names = "REPLACED_BY_ITS_COPY", mode = EnumSource.Mode.EXCLUDE)
    void theFirstLineAndTheSizeTellFilesApartWhereTheyHaveNoKeys(Mishap mishap) throws IOException {
        disk.withoutKeys();
        try (TestLedger ledger = open()) {
            Fixtures.complete(ledger, "done");
            var ticket = Fixtures.take(ledger, "k");
            mishap.strike(file);
            assertRefused(ledger, ticket);
        }
    }

    @Test
    void anotherLedgerOfTheSameSizeIsAnotherFileAlsoWhereFilesHaveNoKeys() throws IOException {
        disk.withoutKeys();
        Path other = folder.resolve("other.jsonl");
        Fixtures.open(other).close();
        try (TestLedger ledger = open()) {
            disk.atNextSync(() -> {
                long size = Files.size(file);
                Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
                Files.writeString(file, " ".repeat((int) (size - Files.size(file))), StandardOpenOption.APPEND);
            });
            assertThatThrownBy(() -> Fixtures.take(ledger, "k"))
                    .isInstanceOf(LedgerUnavailableException.class)
                    .hasMessageContaining("another file has its name");
        }
    }

    private static void assertRefused(TestLedger ledger, Ticket ticket) {
        assertThatThrownBy(() -> ledger.settle(ticket, Fixtures.completed("1")))
                .isInstanceOf(LedgerUnavailableException.class)
                .hasMessageContaining("is closed for good")
                .hasMessageContaining("deleted, renamed, replaced or cut")
                .hasMessageContaining("Put the file back");
        assertThatThrownBy(() -> ledger.claim(Fixtures.request("next")))
                .isInstanceOf(LedgerUnavailableException.class)
                .hasMessageContaining("is closed for good");
    }

    @Test
    void linesThatAnotherProgramHasAppendedAreNotOverwritten() throws IOException {
        try (TestLedger ledger = open()) {
            Fixtures.complete(ledger, "done");
            Mishap.APPENDED_TO.strike(file);
            assertThatThrownBy(() -> Fixtures.take(ledger, "k")).isInstanceOf(LedgerUnavailableException.class);
        }
        assertThat(file).content().endsWith("{\"id\": \"req-9\"}\n");
    }

    @Test
    void closingDoesNotWriteIntoAFileThatAnotherProgramHasChanged() throws IOException {
        try (TestLedger ledger = open()) {
            Fixtures.complete(ledger, "done");
            Mishap.APPENDED_TO.strike(file);
        }
        assertThat(file).content().endsWith("{\"id\": \"req-9\"}\n");
    }

    @Test
    void aFileThatIsPutBackIsWholeAgain() throws IOException {
        try (TestLedger ledger = open()) {
            Fixtures.complete(ledger, "done");
            Mishap.RENAMED.strike(file);
            assertThatThrownBy(() -> Fixtures.take(ledger, "k")).isInstanceOf(LedgerUnavailableException.class);
        }
        Files.move(Path.of(file + ".1"), file);
        try (TestLedger ledger = open()) {
            assertThat(ledger.claim(Fixtures.request("done"))).isInstanceOf(Claim.Replay.class);
        }
    }

    @Test
    void aCompactionDoesNotReplaceAFileThatHasTakenTheName() throws IOException {
        JsonlOptions options = JsonlOptions.at(file).withCompactFrom(10_000);
        try (TestLedger ledger = Fixtures.on(disk, options, LedgerContext.ofHost(Host.system()))) {
            Fixtures.complete(ledger, "first");
            var ticket = Fixtures.take(ledger, "k");
            // The last sync before the names are changed is that of the copy.
            disk.atNextCreate(() -> disk.atNextSync(() -> Files.writeString(
                    Files.createFile(Files.move(file, Path.of(file + ".1")).resolveSibling("idem.jsonl")), "mine")));
            assertThatThrownBy(() -> renewUntilCompacted(ledger, ticket))
                    .isInstanceOf(LedgerUnavailableException.class);
            assertThat(ledger.file().compaction().count()).isZero();
        }
        assertThat(file).hasContent("mine");
    }

    @Test
    void aFileThatReplacesTheNewFileOfACompactionEndsTheLedger() throws IOException {
        JsonlOptions options = JsonlOptions.at(file).withCompactFrom(10_000);
        try (TestLedger ledger = Fixtures.on(disk, options, LedgerContext.ofHost(Host.system()))) {
            var ticket = Fixtures.take(ledger, "k");
            disk.atNextRename(() -> {
                Files.delete(NewFile.beside(file));
                Files.writeString(NewFile.beside(file), "theirs");
            });
            assertThatThrownBy(() -> renewUntilCompacted(ledger, ticket))
                    .isInstanceOf(LedgerUnavailableException.class);
            assertThat(ledger.file().compaction().count()).isZero();
        }
    }

    private static void renewUntilCompacted(TestLedger ledger, Ticket ticket) {
        while (ledger.file().compaction().count() == 0) {
            ledger.renew(ticket, Duration.ofSeconds(30));
        }
        ledger.renew(ticket, Duration.ofSeconds(30));
    }

    @Test
    void aFileWithTwoNamesIsRefusedAtOpening() throws IOException {
        Fixtures.open(file).close();
        Path second = Files.createLink(folder.resolve("second.jsonl"), file);
        assertThatThrownBy(() -> Fixtures.open(second))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("has a second name (a hard link)");
        Files.delete(second);
        Fixtures.open(file).close();
    }
}
