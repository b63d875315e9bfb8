package dev.idem.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.LedgerException;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.LedgerUrl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Locks belong to the process: it loses all its locks on a file, also SQLite's, when Java closes a channel to it. */
class LocksTest {
    private static final Path LOCKS = Path.of("/proc/locks");

    @TempDir
    Path folder;

    @Test
    void nothingThatIsDoneWithAFileDropsTheLocksOnIt() throws Exception {
        Path file = folder.resolve("idem.db");
        try (Ledger ledger = Fixtures.open(file)) {
            Fixtures.complete(ledger, "k");
            List<String> held = locks(file);
            assumeTrue(!held.isEmpty(), "the locks of this process can't be seen in " + LOCKS);

            try (Ledger again = Fixtures.open(file)) {
                Fixtures.complete(again, "another");
            }
            Path link = Files.createSymbolicLink(folder.resolve("link.db"), file);
            Fixtures.open(link).close();
            LedgerContext looking = LedgerContext.ofHost(Host.system()).forReading();
            new SqliteLedgerProvider()
                    .open(LedgerUrl.parse("sqlite:" + file), looking)
                    .close();
            Fixtures.meddle(file, "PRAGMA user_version = 1000");
            assertThatThrownBy(() -> Fixtures.open(file)).isInstanceOf(LedgerException.class);

            assertThat(locks(file)).containsAll(held);
            Files.readAllBytes(file);
            assertThat(locks(file)).as("the test sees what it is about").isEmpty();
        }
    }

    /** The locks of this process on a file: what kind, and from where to where. */
    private static List<String> locks(Path file) throws IOException {
        if (!Files.isReadable(LOCKS)) {
            return List.of();
        }
        String process = Long.toString(ProcessHandle.current().pid());
        String inode = ":" + Files.getAttribute(file, "unix:ino");
        return Files.readAllLines(LOCKS).stream()
                .map(line -> line.split(" +"))
                .filter(words -> words.length > 7 && words[4].equals(process) && words[5].endsWith(inode))
                .map(words -> words[3] + " " + words[6] + " " + words[7])
                .toList();
    }
}
