package dev.idem.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Effect;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.LedgerUrl;
import dev.idem.spi.Owner;
import dev.idem.spi.Payload;
import dev.idem.spi.ProcessRef;
import dev.idem.spi.Processes;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A duplicate read the entry while it was in progress; then its owner settled and ended; then the duplicate looked
 * whether the owner lives, and took a complete entry for one in doubt.
 */
class LateSettleTest {
    private static final Address ADDRESS = new Address("s", "op", "k");
    private static final Owner OWNER = new Owner("owner", new ProcessRef("here", 7, 7));

    @TempDir
    Path folder;

    private Ledger open(Processes processes) {
        LedgerUrl url = LedgerUrl.parse("sqlite:" + folder.resolve("idem.db"));
        return new SqliteLedgerProvider().open(url, new LedgerContext(Host.system(), processes));
    }

    private static ClaimRequest claim(long id) {
        return ClaimRequest.of(new AttemptId(0, id), ADDRESS, Fingerprints.NONE, OWNER);
    }

    @Test
    void anOwnerThatSettlesAndEndsWhileItIsLookedAtLeavesNoDoubt() {
        try (Ledger owners = open(process -> Processes.Life.ALIVE)) {
            Claim.Granted granted = (Claim.Granted) owners.claim(claim(1));
            AtomicBoolean settled = new AtomicBoolean();
            try (Ledger duplicates = open(process -> {
                if (settled.compareAndSet(false, true)) {
                    Payload payload = Payload.of(new byte[] {'1'}, "application/json", "json");
                    owners.settle(
                            granted.ticket(),
                            new Settlement.Completed(new Result.Stored(payload), Effect.CREATED, Retention.DEFAULT));
                }
                return Processes.Life.DEAD;
            })) {
                assertThat(duplicates.claim(claim(2))).isInstanceOf(Claim.Replay.class);
                assertThat(settled).isTrue();
            }
        }
    }
}
