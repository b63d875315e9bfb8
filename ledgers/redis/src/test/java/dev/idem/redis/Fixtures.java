package dev.idem.redis;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.lab.RedisProcess;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Effect;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Owner;
import dev.idem.spi.Payload;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import dev.idem.spi.store.StoreLedger;
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
