package dev.idem.jsonl;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.jsonl.disk.Disk;
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
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/** Words for the tests of this package. */
final class Fixtures {
    private Fixtures() {}

    static TestLedger open(Path file) {
        return open(JsonlOptions.at(file));
    }

    static TestLedger open(JsonlOptions options) {
        return open(options, LedgerContext.ofHost(Host.system()));
    }

    static TestLedger open(JsonlOptions options, LedgerContext context) {
        return TestLedger.on(JsonlStore.open(options, context), context);
    }

    /** A ledger on a disk of the test's own, which does everything in the thread that asks. */
    static TestLedger on(Disk disk, JsonlOptions options, LedgerContext context) {
        return on(new Environment(disk, Runnable::run), options, context);
    }

    static TestLedger on(Environment around, JsonlOptions options, LedgerContext context) {
        LedgerFile file = Opening.open(around, options, context.clocks().now().wall());
        OpenFiles.Use use = new OpenFiles.Use() {
            @Override
            public LedgerFile file() {
                return file;
            }

            @Override
            public void end() {
                file.close();
            }
        };
        return TestLedger.on(new JsonlStore(use, context.clocks()), context);
    }

    /** Waits until something is so; a time limit of the test ends it. */
    static void until(BooleanSupplier so) {
        while (!so.getAsBoolean()) {
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("it never came to be");
            }
            Thread.onSpinWait();
        }
    }

    static Address address(String key) {
        return new Address("default", "charge", key);
    }

    static ClaimRequest request(String key) {
        UUID id = UUID.randomUUID();
        return request(key, new AttemptId(id.getMostSignificantBits(), id.getLeastSignificantBits()));
    }

    static ClaimRequest request(String key, AttemptId id) {
        return ClaimRequest.of(
                id, address(key), new Fingerprints("1d".repeat(32), "c0".repeat(32)), Owner.named("tester"));
    }

    static Ticket take(Ledger ledger, String key) {
        return ((Claim.Granted) ledger.claim(request(key))).ticket();
    }

    /** Claims and completes. */
    static Entry complete(Ledger ledger, String key) {
        ledger.settle(take(ledger, key), completed("\"" + key + "\""));
        return ledger.find(address(key)).orElseThrow();
    }

    static Settlement completed(String json) {
        return completed(json, Retention.DEFAULT);
    }

    static Settlement completed(String json, Retention retention) {
        Payload payload = Payload.of(json.getBytes(StandardCharsets.UTF_8), "application/json", "json");
        return new Settlement.Completed(new Result.Stored(payload), Effect.CREATED, retention);
    }

    /** The result of an entry as text. */
    static String result(Entry entry) {
        return new String(((Result.Stored) entry.result()).payload().bytes(), StandardCharsets.UTF_8);
    }
}
