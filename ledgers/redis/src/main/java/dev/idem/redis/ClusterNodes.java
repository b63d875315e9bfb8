package dev.idem.redis;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeSet;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisClusterOperationException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisMovedDataException;
import redis.clients.jedis.providers.ClusterConnectionProvider;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * The masters of a Redis Cluster. Follows keys that have moved. A step that got no answer is not sent again here: who
 * asked knows whether it may be.
 */
final class ClusterNodes implements Nodes {
    private static final int MOST_MOVES = 5;

    private final JedisClientConfig config;
    private final ClusterConnectionProvider provider;

    ClusterNodes(RedisOptions options, JedisClientConfig config) {
        this.config = config;
        this.provider =
                new ClusterConnectionProvider(new LinkedHashSet<>(options.hosts()), config, Clients.pool(options));
    }

    @Override
    public <T> T holding(byte[] key, Work<T> work) {
        int slot = JedisClusterCRC16.getSlot(key);
        for (int moves = 0; ; moves++) {
            try (Connection connection = provider.getConnectionFromSlot(slot)) {
                return work.with(connection, false);
            } catch (JedisMovedDataException e) {
                if (moves == MOST_MOVES) {
                    throw e;
                }
                provider.renewSlotCache();
            } catch (JedisAskDataException e) {
                return asking(e.getTargetNode(), work);
            } catch (JedisConnectionException e) {
                // Its replica may have taken its place.
                provider.renewSlotCache();
                throw e;
            }
        }
    }

    private <T> T asking(HostAndPort target, Work<T> work) {
        try (Connection connection = provider.getConnection(target)) {
            return work.with(connection, true);
        }
    }

    @Override
    public List<String> masters() {
        provider.renewSlotCache();
        return List.copyOf(new TreeSet<>(provider.getPrimaryNodes().keySet()));
    }

    @Override
    public <T> T at(String master, Work<T> work) {
        ConnectionPool pool = provider.getPrimaryNodes().get(master);
        if (pool == null) {
            throw new JedisClusterOperationException(master + " is no longer a master of the cluster");
        }
        try (Connection connection = pool.getResource()) {
            return work.with(connection, false);
        }
    }

    @Override
    public Connection apart() {
        JedisConnectionException last = null;
        for (String node : provider.getNodes().keySet()) {
            try {
                return new Connection(HostAndPort.from(node), config);
            } catch (JedisConnectionException e) {
                last = e;
            }
        }
        throw last != null ? last : new JedisConnectionException("no node of the cluster is known");
    }

    @Override
    public void close() {
        provider.close();
    }
}
