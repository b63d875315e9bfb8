package dev.idem.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Entry;
import dev.idem.lab.RedisProcess;
import dev.idem.spi.Claim;
import dev.idem.spi.Failure;
import dev.idem.spi.Mark;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import dev.idem.spi.store.StoreLedger;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every step is one script, and only a step over what others wrote is two. The server counts them. */
class RoundTripsTest {
    private static final Settlement FAILED = new Settlement.Failed(new Failure("x", ""), false, Retention.DEFAULT);
    private static final Settlement DOUBTFUL = new Settlement.Doubtful(new Failure("x", ""));

    @TempDir
    Path folder;

    private RedisProcess redis;
    private StoreLedger ledger;

    @BeforeEach
    void open() {
        redis = RedisProcess.start(RedisProcess.bundled(folder), folder);
        ledger = Fixtures.open(Fixtures.options(redis));
        // The server learns the scripts: from now on each is asked for by its digest alone.
        Ticket ticket = Fixtures.take(ledger, "warm-up");
        ledger.renew(ticket, Duration.ofMinutes(1));
        ledger.find(ticket.address());
    }

    @AfterEach
    void close() {
        ledger.close();
        redis.close();
    }

    private void costs(int scripts, Runnable step) {
        long before = calls();
        step.run();
        assertThat(calls() - before).isEqualTo(scripts);
    }

    private long calls() {
        return redis.admin(jedis -> jedis.info("commandstats"))
                .lines()
                .filter(line -> line.startsWith("cmdstat_eval"))
                .mapToLong(line -> Long.parseLong(line.replaceAll(".*:calls=(\\d+),.*", "$1")))
                .sum();
    }

    private Entry entry(String key) {
        return ledger.find(Fixtures.address(key)).orElseThrow();
    }

    @Test
    void aFirstCallIsTwoAndADuplicateOne() {
        costs(2, () -> ledger.settle(Fixtures.take(ledger, "k"), Fixtures.completed("1")));
        costs(1, () -> assertThat(ledger.claim(Fixtures.request("k"))).isInstanceOf(Claim.Replay.class));
        Ticket ticket = Fixtures.take(ledger, "running");
        costs(1, () -> assertThat(ledger.claim(Fixtures.request("running"))).isInstanceOf(Claim.InFlight.class));
        costs(1, () -> ledger.renew(ticket, Duration.ofMinutes(1)));
    }

    @Test
    void aMarkAndTheSettleAfterItAreOneEach() {
        Ticket ticket = ((Claim.Granted) ledger.claim(Fixtures.request("k").withStaged(true))).ticket();
        costs(1, () -> ledger.mark(ticket, Mark.of("charging")));
        costs(1, () -> ledger.settle(ticket, DOUBTFUL));
        costs(1, () -> assertThat(ledger.claim(Fixtures.request("k"))).isInstanceOf(Claim.InDoubt.class));
    }

    @Test
    void stepsOverAnEntryAreTwo() {
        ledger.settle(Fixtures.take(ledger, "k"), FAILED);
        costs(2, () -> assertThat(ledger.claim(Fixtures.request("k"))).isInstanceOf(Claim.Granted.class));
        ledger.settle(entry("k").ticket(), DOUBTFUL);
        costs(
                2,
                () -> assertThat(ledger.claim(Fixtures.request("k").withTakeOver(TakeOver.RERUN)))
                        .isInstanceOf(Claim.Granted.class));
        ledger.settle(entry("k").ticket(), DOUBTFUL);
        Entry doubted = entry("k");
        costs(
                2,
                () -> assertThat(ledger.resolve(doubted.address(), doubted.fence(), Fixtures.completed("1")))
                        .isTrue());
        Entry complete = entry("k");
        costs(2, () -> assertThat(ledger.forget(complete)).isTrue());
    }
}
