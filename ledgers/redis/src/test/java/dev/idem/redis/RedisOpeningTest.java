package dev.idem.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Entry;
import dev.idem.LedgerUnavailableException;
import dev.idem.LedgerUnreadableException;
import dev.idem.lab.RedisProcess;
import dev.idem.spi.Awaitable;
import dev.idem.spi.Claim;
import dev.idem.spi.Failure;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.spi.Mark;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import dev.idem.testkit.Until;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The messages about a server that can't be used, or not with its settings. */
class RedisOpeningTest {
    @TempDir
    static Path folder;

    private static RedisProcess redis;

    @BeforeAll
    static void start() {
        redis = RedisProcess.start(RedisProcess.bundled(folder), folder, "--requirepass", "s3cret:/@+");
        admin(
                "ACL",
                "SETUSER",
                "idem",
                "on",
                ">pass",
                "~idem:*",
                "resetchannels",
                "&idem:*",
                "+@all",
                "-config",
                "-info");
        admin("ACL", "SETUSER", "teller", "on", ">pass", "~idem:*", "resetchannels", "&idem:*", "+@all", "-config");
        admin("ACL", "SETUSER", "stranger", "on", ">pass", "~other:*", "+@all");
        admin("ACL", "SETUSER", "mute", "on", ">pass", "~idem:*", "resetchannels", "+@all");
    }

    @AfterAll
    static void stop() {
        if (redis != null) {
            redis.close();
        }
    }

    @BeforeEach
    void asItShouldBe() {
        admin("FLUSHALL");
        admin("CONFIG", "SET", "maxmemory-policy", "noeviction");
    }

    private static void admin(String... words) {
        redis.admin(jedis -> {
            jedis.auth("s3cret:/@+");
            return jedis.sendCommand(() -> words[0].getBytes(StandardCharsets.US_ASCII), rest(words));
        });
    }

    private static String[] rest(String... words) {
        return Arrays.copyOfRange(words, 1, words.length);
    }

    private static Ledger open(String login, String options) {
        return Ledgers.open("redis://" + login + "127.0.0.1:" + redis.port() + options);
    }

    private static Ledger open(String options) {
        return open(":s3cret%3A%2F%40+@", options);
    }

    private static void refused(String login, String options, String... words) {
        assertThatThrownBy(() -> open(login, options).close())
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContainingAll(words)
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void aUrlOpensItAndItTellsHowItIsSet() {
        try (Ledger ledger = open("/3?prefix=shop:")) {
            Fixtures.take(ledger, "k");
            assertThat(ledger.describe())
                    .contains("redis://***@127.0.0.1:", "/3 ", "keys shop:*", "append-only file off", "noeviction")
                    .doesNotContain("s3cret");
        }
    }

    @Test
    void aMissingOrWrongPasswordIsSaid() {
        refused("", "", "wants a password");
        refused(":wrong@", "", "does not know this user and password");
        refused("idem:wrong@", "", "does not know this user and password");
        refused("", "?check=off", "wants a password");
    }

    @Test
    void aDatabaseThatIsNotThereIsSaid() {
        refused(":s3cret%3A%2F%40+@", "/99", "has no database of that number");
    }

    @Test
    void aServerThatMayEvictIsRefusedUnlessTold() {
        admin("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
        refused(":s3cret%3A%2F%40+@", "", "may evict", "allkeys-lru", "?check=warn");
        try (Ledger ledger = open("?check=warn")) {
            assertThat(ledger.describe()).contains("eviction allkeys-lru");
        }
    }

    @Test
    void aServerThatDoesNotTellIsRefusedUnlessTold() {
        refused("idem:pass@", "", "neither CONFIG nor INFO", "?check=off");
        try (Ledger ledger = open("idem:pass@", "?check=off")) {
            Fixtures.take(ledger, "k");
            assertThat(ledger.describe()).contains("settings not checked");
        }
        try (Ledger ledger = open("teller:pass@", "")) {
            assertThat(ledger.describe()).contains("append-only file off", "noeviction");
        }
    }

    @Test
    void aUserWhoMayNotTouchTheKeysIsToldSoAndGetsNothing() {
        try (Ledger ledger = open("stranger:pass@", "")) {
            assertThatThrownBy(() -> ledger.claim(Fixtures.request("k")))
                    .isInstanceOf(LedgerUnreadableException.class)
                    .hasMessageContaining("does not let this user do its work");
        }
    }

    /** The record stands; only waiters of other processes have to look for themselves. */
    @Test
    void aUserWhoMayNotPublishCanSettle() {
        try (Ledger ledger = open("mute:pass@", "")) {
            ledger.settle(Fixtures.take(ledger, "k"), Fixtures.completed("1"));
            assertThat(ledger.claim(Fixtures.request("k"))).isInstanceOf(Claim.Replay.class);
        }
    }

    /** The words stand in docs/redis.md. */
    @Test
    void theUserOfTheDocsCanDoAllOfIt() {
        admin(
                ("ACL SETUSER docs on >pass ~idem:* resetchannels &idem:* +@connection +eval +evalsha +get +getrange +set "
                                + "+setrange +time +scan +publish +subscribe +unsubscribe +wait +cluster|slots "
                                + "+cluster|shards +config|get +info")
                        .split(" ", -1));
        try (Ledger ledger = open("docs:pass@", "")) {
            Ticket ticket = ((Claim.Granted) ledger.claim(Fixtures.request("k").withStaged(true))).ticket();
            assertThat(ledger.renew(ticket, Duration.ofSeconds(9))).isTrue();
            assertThat(ledger.mark(ticket, Mark.of("charging"))).isTrue();
            AtomicInteger woken = new AtomicInteger();
            try (Ledger other = open("docs:pass@", "");
                    Awaitable.Watch watch =
                            other.as(Awaitable.class).orElseThrow().watch(ticket.address(), woken::incrementAndGet)) {
                assertThat(watch).isNotNull();
                ledger.settle(ticket, new Settlement.Doubtful(new Failure("x", "")));
                Until.isTrue("woken", () -> woken.get() > 0);
            }
            assertThat(ledger.resolve(ticket.address(), ticket.fence(), Fixtures.completed("1")))
                    .isTrue();
            Browsable browsable = ledger.as(Browsable.class).orElseThrow();
            Entry entry = browsable.browse(Query.all()).entries().get(0);
            assertThat(browsable.purge(10)).isZero();
            assertThat(ledger.forget(entry)).isTrue();
        }
    }

    @Test
    void nobodyThereIsSaid() {
        int nobody = RedisProcess.freePort();
        assertThatThrownBy(() -> Ledgers.open("redis://127.0.0.1:" + nobody).close())
                .isInstanceOf(LedgerUnavailableException.class)
                .hasMessageContaining("gave no answer");
    }

    @Test
    void aReplicaIsRefusedAndWritesNothing() {
        try (RedisProcess replica = RedisProcess.start(
                RedisProcess.bundled(folder),
                folder.resolve("replica"),
                "--replicaof",
                "127.0.0.1",
                "" + redis.port(),
                "--masterauth",
                "s3cret:/@+")) {
            assertThatThrownBy(() ->
                            Ledgers.open("redis://127.0.0.1:" + replica.port()).close())
                    .isInstanceOf(LedgerUnreadableException.class)
                    .hasMessageContaining("is a replica");
            try (Ledger ledger = Ledgers.open("redis://127.0.0.1:" + replica.port() + "?check=off")) {
                assertThatThrownBy(() -> ledger.claim(Fixtures.request("k")))
                        .isInstanceOf(LedgerUnavailableException.class)
                        .hasMessageContaining("is a read-only replica");
            }
        }
    }
}
