package dev.idem.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.entry.Address;
import dev.idem.entry.AttemptId;
import dev.idem.entry.Effect;
import dev.idem.entry.Fingerprints;
import dev.idem.entry.Owner;
import dev.idem.entry.Payload;
import dev.idem.entry.ProcessRef;
import dev.idem.entry.Result;
import dev.idem.entry.Retention;
import dev.idem.entry.Settlement;
import dev.idem.ledger.Claim;
import dev.idem.ledger.ClaimRequest;
import dev.idem.ledger.Host;
import dev.idem.ledger.Ledger;
import dev.idem.ledger.LedgerContext;
import dev.idem.ledger.LedgerUrl;
import dev.idem.ledger.Processes;
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
