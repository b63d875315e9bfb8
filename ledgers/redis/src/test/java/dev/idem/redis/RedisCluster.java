package dev.idem.redis;

import dev.idem.lab.RedisProcess;
import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisDataException;

/** A Redis Cluster of a test's own: three masters, three replicas. */
final class RedisCluster implements AutoCloseable {
    private static final int MASTERS = 3;
    private static final int SLOTS = 16_384;

    private final List<RedisProcess> nodes = new ArrayList<>();

    private RedisCluster() {}

    private static final class Shared {
        private static final RedisCluster CLUSTER = startForAll();
    }

    /** The one that contracts share, each case with an empty store; gone with the JVM. */
    static RedisCluster shared() {
        return Shared.CLUSTER;
    }

    private static RedisCluster startForAll() {
        Path folder =
                Path.of("target", "redis-" + ProcessHandle.current().pid()).toAbsolutePath();
        RedisCluster cluster = start(RedisProcess.bundled(folder), folder);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            cluster.close();
            remove(folder);
        }));
        return cluster;
    }

    private static void remove(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts the servers and makes them one cluster. */
    static RedisCluster start(Path binary, Path folder) {
        RedisCluster cluster = new RedisCluster();
        try {
            for (int i = 0; i < 2 * MASTERS; i++) {
                cluster.nodes.add(RedisProcess.start(
                        binary,
                        folder.resolve("node-" + i),
                        "--cluster-enabled",
                        "yes",
                        "--cluster-node-timeout",
                        "1000",
                        "--cluster-replica-validity-factor",
                        "0",
                        "--repl-diskless-sync",
                        "yes",
                        "--repl-diskless-sync-delay",
                        "0"));
            }
            cluster.join();
            return cluster;
        } catch (RuntimeException | Error e) {
            cluster.close();
            throw e;
        }
    }

    private void join() {
        for (int i = 0; i < nodes.size(); i++) {
            int number = i;
            nodes.get(i).admin(node -> {
                if (number < MASTERS) {
                    node.clusterAddSlots(slots(number));
                }
                node.clusterSetConfigEpoch(number + 1L);
                return node.clusterMeet(RedisProcess.LOOPBACK, nodes.get(0).port());
            });
        }
        Until.isTrue("everybody knows everybody", () -> nodes.stream().allMatch(node -> known(node) == nodes.size()));
        for (int i = MASTERS; i < nodes.size(); i++) {
            String master = nodes.get(i - MASTERS).admin(Jedis::clusterMyId);
            RedisProcess replica = nodes.get(i);
            Until.isTrue("it becomes a replica", () -> replicates(replica, master));
        }
        awaitHealth();
    }

    private static boolean replicates(RedisProcess replica, String master) {
        try {
            return replica.admin(node -> node.clusterReplicate(master)).equals("OK");
        } catch (JedisDataException e) {
            return false;
        }
    }

    private static int known(RedisProcess node) {
        return (int) node.admin(Jedis::clusterNodes).lines().count();
    }

    /** Waits until every living node serves, and every living replica follows. */
    void awaitHealth() {
        Until.isTrue(
                "every slot is served",
                () -> living().stream()
                        .allMatch(node -> node.admin(Jedis::clusterInfo).contains("cluster_state:ok")));
        Until.isTrue("replicas follow", () -> living().stream().allMatch(RedisCluster::follows));
    }

    /** Whether the others serve all slots, the replica of the killed one its own. */
    boolean servedWithoutFirst() {
        return nodes.get(MASTERS).admin(node -> node.info("replication")).contains("role:master")
                && living().stream()
                        .allMatch(node -> node.admin(Jedis::clusterInfo).contains("cluster_state:ok"));
    }

    private static boolean follows(RedisProcess node) {
        String replication = node.admin(jedis -> jedis.info("replication"));
        return replication.contains("role:master") || replication.contains("master_link_status:up");
    }

    private List<RedisProcess> living() {
        return nodes.stream().filter(RedisProcess::isAlive).toList();
    }

    private static int[] slots(int master) {
        int from = SLOTS * master / MASTERS;
        int[] slots = new int[SLOTS * (master + 1) / MASTERS - from];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = from + i;
        }
        return slots;
    }

    /** The master of the first third of the slots, until it is killed. */
    RedisProcess first() {
        return nodes.get(0);
    }

    /** One of the masters, as they were in the beginning: 0, 1, 2. */
    RedisProcess node(int master) {
        return nodes.get(master);
    }

    RedisProcess replicaOf(int master) {
        return nodes.get(MASTERS + master);
    }

    /** Which master serves a slot in the beginning. */
    static int masterOf(int slot) {
        int master = 0;
        while (slot >= SLOTS * (master + 1) / MASTERS) {
            master++;
        }
        return master;
    }

    static boolean ofFirst(int slot) {
        return slot < SLOTS / MASTERS;
    }

    RedisOptions options() {
        return RedisOptions.at(false, nodes.stream().map(RedisProcess::host).toList())
                .withCheck(Check.OFF);
    }

    /** An empty store. */
    LedgerFixture fixture() {
        nodes.subList(0, MASTERS).forEach(node -> node.admin(Jedis::flushAll));
        TestTime time = new TestTime();
        return LedgerFixture.serverTimed(context -> Fixtures.open(options(), context, time.clock()), time::set);
    }

    @Override
    public void close() {
        nodes.forEach(RedisProcess::close);
    }
}
