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
 * The masters of a Redis Cluster. Follows redirections of keys that have moved. It does not repeat an unanswered step:
 * only the caller knows whether that is safe.
 */
final class ClusterNodes implements Nodes {
    private static final System.Logger LOG = System.getLogger(ClusterNodes.class.getName());

    private static final int MOST_REDIRECTIONS = 8;
    /** All together a quarter of a second. */
    private static final long FIRST_PAUSE = Duration.ofMillis(2).toNanos();

    private final JedisClientConfig config;
    /** Knows which node serves which slot, and has a pool for each node. */
    private final ClusterConnectionProvider map;

    /** The node of the last separate connection. */
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
                    // A replica may have replaced it.
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
     * Does the work, then renews the map from that node. Only one thread at a time renews the map, and the others
     * return at once: a redirected caller neither waits for the map nor relies on it.
     */
    private <T> Work<T> thenRenewing(Work<T> work) {
        return (connection, asking) -> {
            T answer = work.with(connection, asking);
            try {
                map.renewSlotCache(connection);
            } catch (JedisException e) {
                // The work is done, and must not be repeated because of the map. The next call is redirected again.
                LOG.log(System.Logger.Level.DEBUG, "the map of the cluster could not be renewed", e);
            }
            return answer;
        };
    }

    /** The target of a redirection: without a host, another port of the same node. */
    static HostAndPort target(JedisRedirectionException redirection, HostAndPort by) {
        HostAndPort target = redirection.getTargetNode();
        return target.getHost().isEmpty() ? new HostAndPort(by.getHost(), target.getPort()) : target;
    }

    /**
     * No pause at first, then longer each time, because two nodes that redirect to each other must first learn of the
     * change. Returns whether an interrupt was pending, which would end every pause at once.
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
        // The previous node is tried last, because it did not answer.
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
