package dev.idem.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Entry;
import dev.idem.LedgerUnavailableException;
import dev.idem.State;
import dev.idem.lab.RedisProcess;
import dev.idem.spi.Settled;
import dev.idem.spi.Ticket;
import dev.idem.spi.store.StoreLedger;
import dev.idem.testkit.Until;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.params.MigrateParams;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * Slots change hands while everybody works, as in every upgrade and every reshard: nobody is sent away, and no settle
 * is lost. (Once, whoever was told that a key had moved asked the map of the slots, which another thread was renewing,
 * until the tries were used up, and the action's outcome was never recorded.)
 */
class ClusterMovesIT {
    private static final int SOME = 500;

    @TempDir
    static Path folder;

    private static RedisCluster cluster;

    private StoreLedger ledger;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start(RedisProcess.bundled(folder), folder);
    }

    @AfterAll
    static void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @BeforeEach
    void open() {
        ledger = Fixtures.open(cluster.options());
    }

    @AfterEach
    void close() {
        ledger.close();
    }

    @Test
    void aMasterThatHandsOverLosesNoSettle(TestReporter reporter) throws Exception {
        try (Load load = new Load(ledger, tagOn(0))) {
            load.awaitMore(SOME);
            handOver(cluster.node(0), cluster.replicaOf(0));
            load.awaitMore(SOME);
            assertThat(load.finish()).allMatch(this::isComplete);
            reporter.publishEntry("asked again", Integer.toString(load.askedAgain()));
        }
    }

    private static void handOver(RedisProcess master, RedisProcess replica) {
        cluster.awaitHealth();
        replica.admin(Jedis::clusterFailover);
        Until.isTrue("the replica serves", () -> role(replica).contains("role:master"));
        Until.isTrue("the master follows it", () -> role(master).contains("role:slave"));
    }

    private static String role(RedisProcess node) {
        return node.admin(jedis -> jedis.info("replication"));
    }

    @Test
    void aSlotThatMovesIsFollowedAndLosesNoSettle(TestReporter reporter) throws Exception {
        String tag = tagOn(1);
        int slot = slot(tag);
        try (Load load = new Load(ledger, tag)) {
            load.awaitMore(SOME);
            importing(slot);
            migrating(slot);
            load.awaitMore(SOME);
            moveKeys(slot);
            load.awaitMore(SOME);
            // The wrong order: for a while each of them says that it is the other's.
            owned(slot, cluster.node(1));
            owned(slot, cluster.node(2));
            load.awaitMore(SOME);
            assertThat(load.finish()).allMatch(this::isComplete);
            reporter.publishEntry("asked again", Integer.toString(load.askedAgain()));
        }
    }

    @Test
    void sentBackByTheNodeItWasSentToItAsksAgainLater() {
        String tag = tagOn(1);
        int slot = slot(tag);
        migrating(slot);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> ledger.claim(Fixtures.request(tag + "k")))
                .isInstanceOf(LedgerUnavailableException.class)
                .hasMessageContaining("ask again");
        assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
        importing(slot);
        Ticket ticket = Fixtures.take(ledger, tag + "k");
        owned(slot, cluster.node(2));
        owned(slot, cluster.node(1));
        assertThat(ledger.settle(ticket, Fixtures.completed("1"))).isInstanceOf(Settled.Recorded.class);
        assertThat(isComplete(tag + "k")).isTrue();
    }

    @Test
    void listeningBeginsWithAnotherNodeEachTime() {
        try (Nodes nodes = new ClusterNodes(cluster.options());
                Connection one = nodes.apart();
                Connection other = nodes.apart()) {
            assertThat(id(other)).isNotEqualTo(id(one));
        }
    }

    private static String id(Connection connection) {
        connection.sendCommand(Protocol.Command.CLUSTER, "MYID");
        return connection.getBulkReply();
    }

    /** The node with number 2 is ready to take a slot of the one with number 1. */
    private static void importing(int slot) {
        String giver = id(cluster.node(1));
        cluster.node(2).admin(jedis -> jedis.clusterSetSlotImporting(slot, giver));
    }

    private static void migrating(int slot) {
        String taker = id(cluster.node(2));
        cluster.node(1).admin(jedis -> jedis.clusterSetSlotMigrating(slot, taker));
    }

    private static void moveKeys(int slot) {
        cluster.node(1).admin(jedis -> {
            List<String> keys = jedis.clusterGetKeysInSlot(slot, 50);
            while (!keys.isEmpty()) {
                jedis.migrate(
                        RedisProcess.LOOPBACK,
                        cluster.node(2).port(),
                        10_000,
                        new MigrateParams(),
                        keys.toArray(String[]::new));
                keys = jedis.clusterGetKeysInSlot(slot, 50);
            }
            return keys;
        });
    }

    private static void owned(int slot, RedisProcess told) {
        String owner = id(cluster.node(2));
        told.admin(jedis -> jedis.clusterSetSlotNode(slot, owner));
    }

    private static String id(RedisProcess node) {
        return node.admin(Jedis::clusterMyId);
    }

    private boolean isComplete(String key) {
        return ledger.find(Fixtures.address(key)).map(Entry::state).orElse(null) == State.COMPLETE;
    }

    private static int next;

    /** A prefix whose keys are in one slot of that master; another slot each time. */
    private static String tagOn(int master) {
        String tag;
        do {
            tag = "{" + next++ + "}";
        } while (RedisCluster.masterOf(slot(tag)) != master);
        return tag;
    }

    private static int slot(String tag) {
        return JedisClusterCRC16.getSlot(Fixtures.name(tag).getBytes(StandardCharsets.UTF_8));
    }
}
