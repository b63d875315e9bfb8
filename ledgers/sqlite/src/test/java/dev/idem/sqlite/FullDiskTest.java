package dev.idem.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Entry;
import dev.idem.LedgerUnavailableException;
import dev.idem.spi.Claim;
import dev.idem.spi.Retention;
import dev.idem.spi.browse.Query;
import dev.idem.testkit.MemoryFolder;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the file can't grow, nothing is half written, what is there can be read, and room made is room found. */
class FullDiskTest {
    @TempDir(factory = MemoryFolder.class)
    Path folder;

    @Test
    void aFullDiskLosesNothingAndRecovers() {
        SqliteOptions options = SqliteOptions.at(folder.resolve("idem.db")).withMaxPages(40);
        try (TestLedger ledger = Fixtures.open(options)) {
            Entry first = Fixtures.complete(ledger, "first");
            int written = fill(ledger);
            assertThat(written).isPositive();

            assertThat(ledger.find(Fixtures.address("first"))).contains(first);
            assertThat(ledger.claim(Fixtures.request("first"))).isInstanceOf(Claim.Replay.class);
            assertThat(ledger.browse(Query.all().withLimit(1000)).entries()).hasSize(written + 1);

            for (int i = 0; i < written; i++) {
                Entry entry = ledger.find(Fixtures.address("k" + i)).orElseThrow();
                assertThat(ledger.forget(entry)).isTrue();
            }
            assertThat(Fixtures.complete(ledger, "after").fence()).isGreaterThan(first.fence());
        }
    }

    private static int fill(TestLedger ledger) {
        byte[] large = new byte[10_000];
        for (int i = 0; ; i++) {
            var ticket = Fixtures.take(ledger, "k" + i);
            try {
                ledger.settle(ticket, Fixtures.completed(large, Retention.DEFAULT));
            } catch (LedgerUnavailableException e) {
                assertThat(e)
                        .hasMessageContaining("can't grow: the disk is full")
                        .hasMessageContaining("make room and try again");
                // The claim stands; only the result did not fit.
                assertThatThrownBy(() -> ledger.settle(ticket, Fixtures.completed(large, Retention.DEFAULT)))
                        .isInstanceOf(LedgerUnavailableException.class);
                ledger.settle(ticket, Fixtures.completed("small"));
                return i + 1;
            }
        }
    }
}
