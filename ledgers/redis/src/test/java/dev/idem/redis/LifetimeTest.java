package dev.idem.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.lab.RedisProcess;
import dev.idem.spi.Awaitable;
import dev.idem.spi.Failure;
import dev.idem.spi.Fence;
import dev.idem.spi.Host;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.store.StoreLedger;
import dev.idem.testkit.Until;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;

/** How long keys and fences live, and that listening goes on after a lost connection. */
class LifetimeTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final Retention MINUTE = new Retention(Duration.ofMinutes(1), Duration.ofMinutes(2));

    @TempDir
    static Path folder;

    private static RedisProcess redis;
    private final TestTime time = new TestTime();

    @BeforeAll
    static void start() {
        redis = RedisProcess.start(RedisProcess.bundled(folder), folder);
    }

    @AfterAll
    static void stop() {
        if (redis != null) {
            redis.close();
        }
    }

    @BeforeEach
    void empty() {
        redis.admin(Jedis::flushAll);
        time.set(NOW);
    }

    private static RedisOptions options() {
        return Fixtures.options(redis).withStub(Duration.ofMinutes(10));
    }

    /** A ledger whose fences follow the test's clock too. */
    private StoreLedger open() {
        return Fixtures.open(options(), LedgerContext.ofHost(Host.system()), time.clockOfFences());
    }

    /** How long the server keeps the key. A store rounds up, so this may be a millisecond more than was asked for. */
    private static Duration left() {
        long millis = redis.admin(jedis -> jedis.pttl(Fixtures.name("k")));
        return millis < 0 ? Duration.ZERO : Duration.ofMillis(millis);
    }

    @Test
    void theServerLetsGoOfASettledEntryWhenItsStubIsOverAndNeverOfAnOpenOne() {
        try (StoreLedger ledger = Fixtures.open(options())) {
            Ticket ticket = Fixtures.take(ledger, "k");
            assertThat(left()).as("in progress").isZero();
            ledger.settle(ticket, new Settlement.Failed(new Failure("x", ""), false, MINUTE));
            assertThat(left())
                    .as("failed")
                    .isBetween(Duration.ofSeconds(650), Duration.ofSeconds(660).plusMillis(1));
            ticket = Fixtures.take(ledger, "k");
            assertThat(left()).as("granted again").isZero();
            ledger.settle(ticket, new Settlement.Doubtful(new Failure("x", "")));
            assertThat(left()).as("in doubt").isZero();
            ledger.settle(ticket, Fixtures.completed("1", MINUTE));
            assertThat(left())
                    .as("complete")
                    .isBetween(Duration.ofSeconds(770), Duration.ofSeconds(780).plusMillis(1));
            ledger.forget(ledger.find(ticket.address()).orElseThrow());
            assertThat(left())
                    .as("a stub")
                    .isBetween(Duration.ofSeconds(590), Duration.ofSeconds(600).plusMillis(1));
        }
    }

    @Test
    void fencesGrowWhenTheServersClockStepsBack() {
        try (StoreLedger ledger = open()) {
            Ticket first = Fixtures.take(ledger, "k");
            ledger.settle(first, new Settlement.Failed(new Failure("x", ""), false, MINUTE));
            time.set(NOW.minus(Duration.ofDays(365)));
            Ticket second = Fixtures.take(ledger, "k");
            assertThat(second.fence()).isEqualTo(next(first));
            ledger.settle(second, Fixtures.completed("1"));
            assertThat(ledger.forget(ledger.find(second.address()).orElseThrow()))
                    .isTrue();
            Ticket third = Fixtures.take(ledger, "k");
            assertThat(third.fence()).isEqualTo(next(second));
            ledger.settle(third, new Settlement.Doubtful(new Failure("x", "")));
            assertThat(ledger.resolve(third.address(), third.fence(), Fixtures.completed("1", MINUTE)))
                    .isTrue();
            time.set(NOW.minus(Duration.ofDays(364)));
            assertThat(ledger.as(Browsable.class).orElseThrow().purge(10)).isEqualTo(1);
            assertThat(Fixtures.take(ledger, "k").fence())
                    .as("after a resolve and a purge")
                    .isEqualTo(new Fence(third.fence().number() + 2));
        }
    }

    private static Fence next(Ticket ticket) {
        return new Fence(ticket.fence().number() + 1);
    }

    @Test
    void aLostConnectionIsListenedOnAgain() {
        try (StoreLedger waiting = Fixtures.open(options());
                StoreLedger other = Fixtures.open(options())) {
            Ticket ticket = Fixtures.take(other, "k");
            AtomicInteger woken = new AtomicInteger();
            try (Awaitable.Watch watch =
                    waiting.as(Awaitable.class).orElseThrow().watch(ticket.address(), woken::incrementAndGet)) {
                assertThat(watch).isNotNull();
                assertThat(subscribers()).isEqualTo(1);
                redis.admin(jedis -> jedis.sendCommand(Protocol.Command.CLIENT, "KILL", "TYPE", "pubsub"));
                Until.isTrue("woken in case something was missed", () -> woken.get() > 0);
                Until.isTrue("it listens again", () -> subscribers() == 1);
                int before = woken.get();
                other.settle(ticket, Fixtures.completed("1"));
                Until.isTrue("woken by the settle", () -> woken.get() > before);
            }
            Until.isTrue("nobody listens", () -> subscribers() == 0);
        }
    }

    private static long subscribers() {
        return redis.admin(jedis -> jedis.pubsubNumSub(Fixtures.name("k"))).get(Fixtures.name("k"));
    }
}
