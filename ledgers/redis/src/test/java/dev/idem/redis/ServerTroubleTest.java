package dev.idem.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Idem;
import dev.idem.LedgerUnavailableException;
import dev.idem.LedgerUnreadableException;
import dev.idem.Operation;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.State;
import dev.idem.UnrecordedException;
import dev.idem.lab.RedisProcess;
import dev.idem.spi.Claim;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Retention;
import dev.idem.spi.Settled;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import dev.idem.spi.store.StoreLedger;
import dev.idem.testkit.LogLines;
import dev.idem.testkit.Until;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

/** A server that ends, is full, or holds what it should not: nothing runs that is not recorded. */
class ServerTroubleTest {
    @TempDir
    Path folder;

    /** A claim is sent again for as long as its lease would be, but no longer than two seconds. */
    private static final Duration BRIEF = Duration.ofMillis(500);

    private RedisProcess redis;
    private StoreLedger ledger;

    @BeforeEach
    void start() {
        redis = RedisProcess.start(
                RedisProcess.bundled(folder), folder, "--appendonly", "yes", "--appendfsync", "always");
        ledger = Fixtures.open(Fixtures.options(redis).withTimeout(Duration.ofMillis(500)));
    }

    @AfterEach
    void stop() {
        ledger.close();
        redis.close();
    }

    /** Set after the ledger was opened, as a person or another program may. */
    @Test
    void whereEntriesMayBeEvictedNoFirstCallRunsAndWhatIsStoredGoesOn() {
        AtomicInteger runs = new AtomicInteger();
        try (StoreLedger careful = Fixtures.open(Fixtures.options(redis).withCheck(Check.ON));
                Idem idem = Fixtures.idem(careful)) {
            Operation<String> charge =
                    idem.operation("charge").policy(Policy.unset().lease(BRIEF)).returning(String.class);
            charge.key("before").run(call -> "charged");
            charge.key("meanwhile").run(call -> {
                evict("allkeys-random");
                assertThat(charge.key("before").attempt(again -> "never")).isInstanceOf(Outcome.Replayed.class);
                Until.isTrue("first calls are refused", () -> isRefused(charge, runs));
                return "charged";
            });
            int before = runs.get();
            assertThatThrownBy(() -> charge.key("after").run(call -> "ran " + runs.incrementAndGet()))
                    .isInstanceOf(LedgerUnreadableException.class)
                    .hasMessageContaining("the maxmemory-policy of")
                    .hasMessageContaining("is allkeys-random. Find out what was evicted, then set it to noeviction");
            assertThat(charge.key("meanwhile").attempt(call -> "never")).isInstanceOf(Outcome.Replayed.class);
            assertThat(runs).hasValue(before);

            evict("noeviction");
            Until.isTrue("first calls run again", () -> !isRefused(charge, runs));
        }
    }

    @Test
    void whatTheServerHasEvictedIsInTheLog() {
        AtomicInteger runs = new AtomicInteger();
        try (StoreLedger careful = Fixtures.open(Fixtures.options(redis).withCheck(Check.ON));
                Idem idem = Fixtures.idem(careful);
                LogLines log = LogLines.of("dev.idem")) {
            Operation<String> charge = idem.operation("charge").returning(String.class);
            charge.key("before").run(call -> "charged");
            evict("allkeys-random");
            redis.admin(admin -> {
                admin.configSet("maxmemory", "3mb");
                for (int i = 0; i < 40; i++) {
                    admin.set("cache-" + i, "x".repeat(100_000));
                }
                return admin.configSet("maxmemory", "0");
            });
            evict("noeviction");
            Until.isTrue("the log tells", () -> {
                isRefused(charge, runs);
                return log.warnings().stream().anyMatch(line -> line.contains("has evicted"));
            });
        }
    }

    private static boolean isRefused(Operation<String> charge, AtomicInteger runs) {
        try {
            charge.key("call-" + UUID.randomUUID()).run(call -> "ran " + runs.incrementAndGet());
            return false;
        } catch (LedgerUnreadableException e) {
            return true;
        }
    }

    private void evict(String policy) {
        redis.admin(admin -> admin.configSet("maxmemory-policy", policy));
    }

    @Test
    void downAtTheClaimNothingRuns() {
        AtomicInteger runs = new AtomicInteger();
        try (Idem idem = Fixtures.idem(ledger)) {
            redis.kill();
            assertThatThrownBy(() -> idem.operation("charge")
                            .key("k")
                            .policy(Policy.unset().lease(BRIEF))
                            .run(call -> runs.incrementAndGet()))
                    .isInstanceOf(LedgerUnavailableException.class)
                    .hasMessageContaining("gave no answer");
        }
        assertThat(runs).hasValue(0);
    }

    @Test
    void downAtTheSettleTheCallerIsToldAndTheEntryComesToBeInDoubt() {
        try (Idem idem = Fixtures.idem(ledger)) {
            assertThatThrownBy(() -> idem.operation("charge")
                            .key("k")
                            .policy(Policy.unset().lease(Duration.ofSeconds(1)))
                            .run(call -> {
                                redis.kill();
                                return "charged";
                            }))
                    .isInstanceOf(UnrecordedException.class);
        }
        redis.start();
        Until.isTrue(
                "it is in doubt",
                () -> ledger.find(Fixtures.address("k")).orElseThrow().state() == State.IN_DOUBT);
        assertThat(ledger.claim(Fixtures.request("k").withFingerprints(Fingerprints.NONE)))
                .isInstanceOf(Claim.InDoubt.class);
    }

    @Test
    void backInTimeForTheSettleItIsComplete() {
        try (Idem idem = Fixtures.idem(ledger)) {
            idem.operation("charge").key("k").run(call -> {
                redis.kill();
                redis.start();
                return "charged";
            });
        }
        assertThat(ledger.find(Fixtures.address("k")).orElseThrow().state()).isEqualTo(State.COMPLETE);
    }

    @Test
    void whatWasAcknowledgedIsThereAfterAKill() {
        Ticket running = Fixtures.take(ledger, "running");
        ledger.settle(Fixtures.take(ledger, "complete"), Fixtures.completed("1"));
        redis.kill();
        redis.start();
        assertThatThrownBy(() -> ledger.find(running.address())).isInstanceOf(LedgerUnavailableException.class);
        assertThat(ledger.settle(running, Fixtures.completed("2"))).isInstanceOf(Settled.Recorded.class);
        assertThat(ledger.claim(Fixtures.request("complete"))).isInstanceOf(Claim.Replay.class);
    }

    @Test
    void fullNothingRunsAndWhatIsStoredStillAnswers() {
        ledger.settle(Fixtures.take(ledger, "stored"), Fixtures.completed("1"));
        redis.admin(jedis -> jedis.configSet("maxmemory", "1"));
        AtomicInteger runs = new AtomicInteger();
        try (Idem idem = Fixtures.idem(ledger)) {
            assertThatThrownBy(() -> idem.operation("charge")
                            .key("k")
                            .policy(Policy.unset().lease(BRIEF))
                            .run(call -> runs.incrementAndGet()))
                    .isInstanceOf(LedgerUnavailableException.class)
                    .hasMessageContaining("has reached its maxmemory");
        }
        assertThat(runs).hasValue(0);
        assertThat(ledger.claim(Fixtures.request("stored"))).isInstanceOf(Claim.Replay.class);
    }

    @Test
    void scriptsThatTheServerForgotAreSentAgain() {
        Ticket ticket = Fixtures.take(ledger, "k");
        redis.admin(Jedis::scriptFlush);
        assertThat(ledger.settle(ticket, Fixtures.completed("1"))).isInstanceOf(Settled.Recorded.class);
    }

    @Test
    void whatIsNoEntryIsNeverTakenForNotSeen() {
        redis.admin(jedis -> jedis.lpush(Fixtures.name("list"), "x"));
        String line = "complete 1 00000000000000ff 1 1+1 1 1+1 1+1 ";
        redis.admin(jedis -> jedis.set(Fixtures.name("later"), line + "7\n{\"v\":2}"));
        redis.admin(jedis -> jedis.set(Fixtures.name("other"), line + "7 more\n{\"v\":1}"));
        redis.admin(jedis -> jedis.set(Fixtures.name("short"), line + "99\n{\"v\":1}"));
        redis.admin(jedis -> jedis.set(Fixtures.name("state"), line.replace("complete", "lost") + "7\n{\"v\":1}"));
        redis.admin(jedis -> jedis.set(Fixtures.name("else"), "hello"));
        assertThatThrownBy(() -> ledger.claim(Fixtures.request("list")))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("?prefix=");
        for (String key : new String[] {"later", "other", "short", "state", "else"}) {
            assertThatThrownBy(() -> ledger.claim(Fixtures.request(key)))
                    .isInstanceOf(LedgerUnreadableException.class)
                    .hasMessageContaining("can't be read");
            assertThatThrownBy(() -> ledger.find(Fixtures.address(key))).isInstanceOf(LedgerUnreadableException.class);
        }
    }

    /** One foreign value under the prefix ended every list and every purge. */
    @Test
    void aForeignValueHidesNoEntryFromAListOrAPurge() {
        redis.admin(jedis -> jedis.lpush(Fixtures.name("list"), "x"));
        redis.admin(jedis -> jedis.set(Fixtures.name("else"), "hello"));
        ledger.settle(Fixtures.take(ledger, "over"), Fixtures.completed("1", Retention.of(Duration.ofMillis(1))));
        ledger.settle(Fixtures.take(ledger, "k"), Fixtures.completed("1"));
        Until.isTrue(
                "the entry is over", () -> ledger.find(Fixtures.address("over")).isEmpty());
        Browsable browsable = ledger.as(Browsable.class).orElseThrow();
        Page page = browsable.browse(Query.all());
        assertThat(page.entries()).extracting(entry -> entry.address().key()).containsExactly("k");
        assertThat(page.unreadable()).extracting(row -> row.address().key()).containsExactlyInAnyOrder("list", "else");
        assertThat(browsable.stats().count(State.COMPLETE)).isEqualTo(1);
        assertThat(browsable.purge(10)).isEqualTo(1);
    }
}
