package dev.idem.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.LedgerUnavailableException;
import dev.idem.Policy;
import dev.idem.lab.RedisProcess;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.EntryStore.Row;
import dev.idem.spi.Failure;
import dev.idem.spi.Processes;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import dev.idem.spi.store.StoreLedger;
import dev.idem.testkit.Until;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

/** With {@code wait=1} nothing runs, and nothing counts as recorded, before a replica has it. */
class ReplicasTest {
    @TempDir
    Path folder;

    private RedisProcess master;
    private RedisProcess replica;
    private StoreLedger ledger;

    @BeforeEach
    void start() {
        Path binary = RedisProcess.bundled(folder);
        master = RedisProcess.start(
                binary, folder.resolve("master"), "--repl-diskless-sync", "yes", "--repl-diskless-sync-delay", "0");
        replica = RedisProcess.start(binary, folder.resolve("replica"), "--replicaof", "127.0.0.1", "" + master.port());
        Until.isTrue("the replica follows and acknowledges", () -> master.admin(ReplicasTest::acknowledges));
        ledger = open(Duration.ofSeconds(20));
    }

    /** Half of the time is for the replica. */
    private StoreLedger open(Duration timeout) {
        return Fixtures.open(Fixtures.options(master).withReplicas(1).withTimeout(timeout));
    }

    /** The replica is gone, and there is nothing to be patient for. */
    private void killReplica() {
        replica.kill();
        ledger.close();
        ledger = open(Duration.ofSeconds(1));
    }

    private static boolean acknowledges(Jedis jedis) {
        jedis.set("other:key", "1");
        return jedis.waitReplicas(1, 100) == 1;
    }

    @AfterEach
    void stop() {
        if (ledger != null) {
            ledger.close();
        }
        if (replica != null) {
            replica.close();
        }
        if (master != null) {
            master.close();
        }
    }

    @Test
    void whatWasAnsweredIsOnTheReplica() {
        Ticket ticket = Fixtures.take(ledger, "k");
        assertThat(valueOnReplica()).startsWith("in_progress ");
        assertThat(ledger.settle(ticket, Fixtures.completed("1"))).isInstanceOf(Settled.Recorded.class);
        assertThat(valueOnReplica()).startsWith("complete ");
    }

    private String valueOnReplica() {
        return replica.admin(jedis -> jedis.get(Fixtures.name("k")));
    }

    @Test
    void withoutTheReplicaNothingRuns() {
        killReplica();
        AtomicInteger runs = new AtomicInteger();
        try (Idem idem = Fixtures.idem(ledger)) {
            assertThatThrownBy(() -> idem.operation("charge")
                            .key("k")
                            .policy(Policy.unset().lease(Duration.ofMillis(500)))
                            .run(call -> runs.incrementAndGet()))
                    .isInstanceOf(LedgerUnavailableException.class)
                    .hasMessageContaining("0 instead of 1 replicas");
        }
        assertThat(runs).hasValue(0);
    }

    @Test
    void aStepSentAgainIsNotBelievedBeforeTheReplicaHasIt() {
        ClaimRequest request = Fixtures.request("k");
        Ticket ticket = ((Claim.Granted) ledger.claim(request)).ticket();
        killReplica();
        assertThatThrownBy(() -> ledger.claim(request)).isInstanceOf(LedgerUnavailableException.class);
        assertThatThrownBy(() -> ledger.settle(ticket, Fixtures.completed("1")))
                .isInstanceOf(LedgerUnavailableException.class);
        // It was written the first time; that it was, is not yet known to any replica.
        assertThatThrownBy(() -> ledger.settle(ticket, Fixtures.completed("1")))
                .isInstanceOf(LedgerUnavailableException.class);
        replica.start();
        Until.isTrue("the replica follows again", () -> acknowledged(ticket));
        assertThat(valueOnReplica()).startsWith("complete ");
    }

    /** The second try found its own write on the master, and took that for an acknowledgement of the replica. */
    @Test
    void aForgetAndAResolveAreNotBelievedBeforeTheReplicaHasThem() {
        ledger.settle(Fixtures.take(ledger, "k"), Fixtures.completed("1"));
        ledger.settle(Fixtures.take(ledger, "doubted"), new Settlement.Doubtful(new Failure("lost", "no answer")));
        Entry complete = ledger.find(Fixtures.address("k")).orElseThrow();
        Entry doubted = ledger.find(Fixtures.address("doubted")).orElseThrow();
        killReplica();
        assertThatThrownBy(() -> ledger.forget(complete)).isInstanceOf(LedgerUnavailableException.class);
        assertThatThrownBy(() -> ledger.resolve(doubted.address(), doubted.fence(), Fixtures.completed("1")))
                .isInstanceOf(LedgerUnavailableException.class);
    }

    /** A completion was read on the old master and confirmed by the new one, which had never heard of it. */
    @Test
    void whatTheOldMasterShowedIsNotConfirmedByANewOneWithoutIt() {
        Ticket ticket = Fixtures.take(ledger, "k");
        replica.lead();
        Row complete;
        try (RedisStore old = RedisStore.open(Fixtures.options(master), ServerClock.ofServer())) {
            new StoreLedger(old, Processes.unknown()).settle(ticket, Fixtures.completed("1"));
            complete = old.read(Fixtures.address("k")).row();
        }
        master.follow(replica.port());
        Until.isTrue("the old master follows the new one", replica::isFollowed);

        try (RedisStore now = RedisStore.open(Fixtures.options(replica).withReplicas(1), ServerClock.ofServer())) {
            assertThatThrownBy(() -> now.confirm(complete)).isInstanceOf(LedgerUnavailableException.class);
            now.confirm(now.read(Fixtures.address("k")).row());
        }
    }

    private boolean acknowledged(Ticket ticket) {
        try {
            return ledger.settle(ticket, Fixtures.completed("1")) instanceof Settled.Already;
        } catch (LedgerUnavailableException e) {
            return false;
        }
    }
}
