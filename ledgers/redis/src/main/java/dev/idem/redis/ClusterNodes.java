package dev.idem.redis;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisClusterOperationException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;
import redis.clients.jedis.providers.ClusterConnectionProvider;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * The masters of a Redis Cluster. Follows keys that have moved. A step that got no answer is not sent again here: who
 * asked knows whether it may be.
 */
final class ClusterNodes implements Nodes {
    private static final System.Logger LOG = System.getLogger(ClusterNodes.class.getName());

    private static final int MOST_REDIRECTIONS = 8;
    /** All together a quarter of a second. */
    private static final long FIRST_PAUSE = Duration.ofMillis(2).toNanos();

    private final JedisClientConfig config;
    /** Knows which node serves which slot, and has a pool for each node. */
    private final ClusterConnectionProvider map;

    /** The node that the last connection apart was made to. */
    private volatile String apart = "";

    ClusterNodes(RedisOptions options) {
        this.config = Clients.config(options);
        this.map = new ClusterConnectionProvider(new LinkedHashSet<>(options.hosts()), config, Pools.config(options));
    }

    @Override
    public <T> T holding(byte[] key, Work<T> work) {
        HostAndPort node = nodeOf(JedisClusterCRC16.getSlot(key));
        boolean asking = false;
        boolean moved = false;
        boolean interrupted = false;
        try {
            for (int redirections = 0; ; redirections++) {
                try {
                    return use(node, moved ? thenRenewing(work) : work, asking);
                } catch (JedisRedirectionException e) {
                    if (redirections == MOST_REDIRECTIONS) {
                        map.renewSlotCache();
                        throw e;
                    }
                    interrupted |= pause(redirections);
                    node = target(e, node);
                    asking = e instanceof JedisAskDataException;
                    moved |= !asking;
                } catch (JedisConnectionException e) {
                    // Its replica may have taken its place.
                    map.renewSlotCache();
                    throw e;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * The work, and then a new map from the node that has done it. Only one thread at a time renews the map, the others
     * are turned away at once: so nobody who was redirected waits for the map, or relies on it.
     */
    private <T> Work<T> thenRenewing(Work<T> work) {
        return (connection, asking) -> {
            T answer = work.with(connection, asking);
            try {
                map.renewSlotCache(connection);
            } catch (JedisException e) {
                // The work is done, and must not be done again for want of a map. The next one is redirected too.
                LOG.log(System.Logger.Level.DEBUG, "the map of the cluster could not be renewed", e);
            }
            return answer;
        };
    }

    /** Where a node sends us: without a host, to another port of its own. */
    static HostAndPort target(JedisRedirectionException told, HostAndPort by) {
        HostAndPort target = told.getTargetNode();
        return target.getHost().isEmpty() ? new HostAndPort(by.getHost(), target.getPort()) : target;
    }

    /**
     * Nothing at first; then longer each time, since two nodes that send us to each other have to hear of the change
     * first. Whether an interrupt was pending, with which no pause would be one.
     */
    private static boolean pause(int redirections) {
        if (redirections == 0) {
            return false;
        }
        boolean interrupted = Thread.interrupted();
        LockSupport.parkNanos(FIRST_PAUSE << (redirections - 1));
        return interrupted;
    }

    private HostAndPort nodeOf(int slot) {
        HostAndPort node = map.getNode(slot);
        if (node == null) {
            map.renewSlotCache();
            node = map.getNode(slot);
        }
        if (node == null) {
            throw new JedisClusterOperationException("no node serves slot " + slot);
        }
        return node;
    }

    private <T> T use(HostAndPort node, Work<T> work, boolean asking) {
        return Pools.use(() -> map.getConnection(node), () -> clear(node), work, asking);
    }

    private void clear(HostAndPort node) {
        ConnectionPool pool = map.getNodes().get(node.toString());
        if (pool != null) {
            pool.clear();
        }
    }

    @Override
    public String holder(byte[] key) {
        return String.valueOf(map.getNode(JedisClusterCRC16.getSlot(key)));
    }

    @Override
    public List<String> masters() {
        map.renewSlotCache();
        return List.copyOf(new TreeSet<>(map.getPrimaryNodes().keySet()));
    }

    @Override
    public <T> T at(String master, Work<T> work) {
        return use(HostAndPort.from(master), work, false);
    }

    @Override
    public Connection apart() {
        List<String> nodes = List.copyOf(new TreeSet<>(map.getNodes().keySet()));
        JedisConnectionException failure = null;
        // The one it was last is tried last: it is asked for another because that one did not answer.
        int first = nodes.indexOf(apart) + 1;
        for (int i = 0; i < nodes.size(); i++) {
            String node = nodes.get((first + i) % nodes.size());
            apart = node;
            try {
                return new Connection(HostAndPort.from(node), config);
            } catch (JedisConnectionException e) {
                failure = e;
            }
        }
        throw failure != null ? failure : new JedisConnectionException("no node of the cluster is known");
    }

    @Override
    public void close() {
        map.close();
    }
}
