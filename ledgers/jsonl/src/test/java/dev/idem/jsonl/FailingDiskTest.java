package dev.idem.jsonl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Entry;
import dev.idem.LedgerUnavailableException;
import dev.idem.State;
import dev.idem.spi.Claim;
import dev.idem.spi.Host;
import dev.idem.spi.LedgerContext;
import dev.idem.testkit.MemoryFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that is full loses nothing; a disk that fails to sync is not trusted again. */
class FailingDiskTest {
    @TempDir(factory = MemoryFolder.class)
    Path folder;

    private final FaultyDisk disk = new FaultyDisk();

    private TestLedger open() {
        return Fixtures.on(disk, JsonlOptions.at(folder.resolve("idem.jsonl")), LedgerContext.ofHost(Host.system()));
    }

    @Test
    void aFullDiskLosesNothingAndRecovers() throws IOException {
        Path file = folder.resolve("idem.jsonl");
        try (TestLedger ledger = open()) {
            Entry first = Fixtures.complete(ledger, "first");
            var ticket = Fixtures.take(ledger, "k");
            long size = Files.size(file);
            disk.room(size + 700);
            var large = Fixtures.completed("\"" + "x".repeat(1000) + "\"");
            assertThatThrownBy(() -> ledger.settle(ticket, large))
                    .isInstanceOf(LedgerUnavailableException.class)
                    .hasMessageContaining("No space left on device")
                    .hasMessageContaining("nothing was written")
                    .hasMessageContaining("make room and try again");
            assertThat(file).as("half a batch was taken back").hasSize(size);

            assertThat(ledger.find(Fixtures.address("first"))).contains(first);
            assertThat(ledger.claim(Fixtures.request("first"))).isInstanceOf(Claim.Replay.class);
            assertThat(ledger.claim(Fixtures.request("k"))).isInstanceOf(Claim.InFlight.class);

            disk.room(Long.MAX_VALUE);
            ledger.settle(ticket, large);
            assertThat(Fixtures.complete(ledger, "after").fence()).isGreaterThan(ticket.fence());
        }
        try (TestLedger ledger = open()) {
            assertThat(ledger.find(Fixtures.address("k")).orElseThrow().state()).isEqualTo(State.COMPLETE);
        }
    }

    @Test
    void aFailedSyncClosesTheLedgerForGoodAndIsNeverTriedAgain() {
        TestLedger ledger = open();
        Fixtures.complete(ledger, "done");
        var ticket = Fixtures.take(ledger, "k");
        disk.failNextSync();
        assertThatThrownBy(() -> ledger.settle(ticket, Fixtures.completed("1")))
                .isInstanceOf(LedgerUnavailableException.class)
                .hasMessageContaining("is closed for good")
                .hasMessageContaining("Input/output error");
        int syncs = disk.syncs();
        assertThatThrownBy(() -> ledger.settle(ticket, Fixtures.completed("1")))
                .isInstanceOf(LedgerUnavailableException.class)
                .hasMessageContaining("is closed for good");
        assertThatThrownBy(() -> ledger.find(Fixtures.address("done"))).isInstanceOf(LedgerUnavailableException.class);
        ledger.close();
        assertThat(disk.syncs()).isEqualTo(syncs);

        // The lock is free, and an opening writes once more what it finds.
        try (TestLedger again = open()) {
            assertThat(disk.syncs()).isGreaterThan(syncs);
            assertThat(again.claim(Fixtures.request("done"))).isInstanceOf(Claim.Replay.class);
            assertThat(again.find(Fixtures.address("k"))).isPresent();
        }
    }

    @Test
    void anOpeningThatFindsNoRoomLeavesNothingBehind() {
        disk.room(10);
        assertThatThrownBy(this::open).isInstanceOf(LedgerUnavailableException.class);
        assertThat(folder.toFile().list()).containsExactly("idem.jsonl.lock");
    }

    /** The result is in hand; how often it was given is worth no failure. */
    @Test
    void aReplayIsGivenAlthoughItCanNotBeCounted() throws IOException {
        int entries = 100;
        try (TestLedger ledger = open()) {
            for (int i = 0; i < entries; i++) {
                Fixtures.complete(ledger, "k" + i);
            }
            disk.room(Files.size(folder.resolve("idem.jsonl")));
            for (int round = 0; round < 3; round++) {
                for (int i = 0; i < entries; i++) {
                    assertThat(ledger.claim(Fixtures.request("k" + i))).isInstanceOf(Claim.Replay.class);
                }
            }
        }
        disk.room(Long.MAX_VALUE);
        try (TestLedger ledger = open()) {
            ledger.claim(Fixtures.request("k0"));
            ledger.writeReplays();
            assertThat(ledger.find(Fixtures.address("k0")).orElseThrow().replays())
                    .isEqualTo(1);
        }
    }

    @Test
    void aCompactionThatFindsNoRoomLeavesEverythingAsItWas() throws IOException {
        Path file = folder.resolve("idem.jsonl");
        JsonlOptions options = JsonlOptions.at(file).withCompactFrom(10_000);
        try (TestLedger ledger = Fixtures.on(disk, options, LedgerContext.ofHost(Host.system()))) {
            Entry first = Fixtures.complete(ledger, "first");
            var ticket = Fixtures.take(ledger, "k");
            // The plug of the new file alone: its name is there, and can't be taken.
            Files.createDirectory(NewFile.beside(file));
            Files.createFile(NewFile.beside(file).resolve("in-the-way"));
            while (Files.size(file) < 12_000) {
                ledger.renew(ticket, java.time.Duration.ofSeconds(30));
            }
            assertThat(ledger.file().compaction().count()).isZero();
            assertThat(ledger.find(Fixtures.address("first"))).contains(first);
            Files.delete(NewFile.beside(file).resolve("in-the-way"));
            Files.delete(NewFile.beside(file));
            while (ledger.file().compaction().count() == 0) {
                ledger.renew(ticket, java.time.Duration.ofSeconds(30));
            }
            assertThat(Files.size(file)).isLessThan(5_000);
            assertThat(ledger.find(Fixtures.address("first"))).contains(first);
        }
    }
}
