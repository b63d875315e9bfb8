package dev.idem.redis;

import dev.idem.Idem;
import dev.idem.entry.Address;
import dev.idem.entry.AttemptId;
import dev.idem.entry.Effect;
import dev.idem.entry.Fingerprints;
import dev.idem.entry.Owner;
import dev.idem.entry.Payload;
import dev.idem.entry.Result;
import dev.idem.entry.Retention;
import dev.idem.entry.Settlement;
import dev.idem.entry.Ticket;
import dev.idem.lab.RedisProcess;
import dev.idem.ledger.Claim;
import dev.idem.ledger.ClaimRequest;
import dev.idem.ledger.Host;
import dev.idem.ledger.Ledger;
import dev.idem.ledger.LedgerContext;
import dev.idem.spi.StoreLedger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** Words for the tests of this package. */
final class Fixtures {
    private Fixtures() {}

    static RedisOptions options(RedisProcess redis) {
        return RedisOptions.at(false, List.of(redis.host())).withCheck(Check.OFF);
    }

    static StoreLedger open(RedisOptions options) {
        return open(options, LedgerContext.ofHost(Host.system()), ServerClock.ofServer());
    }

    static StoreLedger open(RedisOptions options, LedgerContext context, ServerClock clock) {
        return new StoreLedger(RedisStore.open(options, clock), context.processes());
    }

    /** An engine that gives up soon. */
    static Idem idem(Ledger ledger) {
        return Idem.builder()
                .ledger(ledger)
                .quiet()
                .purgeEvery(Duration.ZERO)
                .settleFor(Duration.ofMillis(300))
                .closeWait(Duration.ZERO)
                .open();
    }

    static Address address(String key) {
        return new Address("default", "charge", key);
    }

    /** The name of the entry's key. */
    static String name(String key) {
        return "idem:default\u001fcharge\u001f" + key;
    }

    static ClaimRequest request(String key) {
        UUID id = UUID.randomUUID();
        return ClaimRequest.of(
                new AttemptId(id.getMostSignificantBits(), id.getLeastSignificantBits()),
                address(key),
                new Fingerprints("1d".repeat(32), null),
                Owner.named("tester"));
    }

    static Ticket take(Ledger ledger, String key) {
        return ((Claim.Granted) ledger.claim(request(key))).ticket();
    }

    static Settlement completed(String text) {
        return completed(text, Retention.DEFAULT);
    }

    static Settlement completed(String text, Retention retention) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new Settlement.Completed(
                new Result.Stored(Payload.of(bytes, "application/json", "json")), Effect.CREATED, retention);
    }
}
