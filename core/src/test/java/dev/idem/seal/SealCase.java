package dev.idem.seal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Effect;
import dev.idem.spi.Failure;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Moment;
import dev.idem.spi.Owner;
import dev.idem.spi.Payload;
import dev.idem.spi.Processes;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import dev.idem.spi.store.MemoryLedger;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;

/** A sealed ledger, what is stored behind it, and a clock to move. */
abstract class SealCase {
    static final Address KEY = new Address("s", "charge", "k");
    static final String SECRET = "4111 1111 1111 1111";
    static final Settlement RESULT = completed("\"" + SECRET + "\"");
    static final Settlement DOUBTFUL = new Settlement.Doubtful(new Failure("bank.Timeout", SECRET));
    static final Settlement FAILED =
            new Settlement.Failed(new Failure("bank.Declined", SECRET), false, Retention.DEFAULT);
    static final Duration MINUTE = Duration.ofMinutes(1);

    Instant now = Instant.parse("2026-11-15T08:00:00Z");
    long attempts;
    final MemoryLedger stored = new MemoryLedger(new LedgerContext(() -> Moment.ofWall(now), Processes.unknown()));
    final SealKeys keys = keys("a");
    final SealedLedger ledger = new SealedLedger(stored, keys);

    static SealKeys keys(String id) {
        byte[] key = new byte[32];
        Arrays.fill(key, (byte) id.charAt(0));
        return SealKeys.of(id, key);
    }

    static Settlement.Completed completed(String json) {
        Payload payload = Payload.of(json.getBytes(UTF_8), "application/json", "json");
        return new Settlement.Completed(new Result.Stored(payload), Effect.CREATED, Retention.DEFAULT);
    }

    Entry take(Address address, TakeOver how) {
        ClaimRequest request = ClaimRequest.of(
                        new AttemptId(7, ++attempts), address, Fingerprints.NONE, Owner.named("tester"))
                .withTakeOver(how)
                .withTimeLimit(MINUTE);
        return ((Claim.Granted) ledger.claim(request)).entry();
    }

    Ticket take() {
        return take(KEY, TakeOver.NONE).ticket();
    }

    Entry stored() {
        return stored.find(KEY).orElseThrow();
    }
}
