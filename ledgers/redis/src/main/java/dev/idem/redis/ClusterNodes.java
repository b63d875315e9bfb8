package dev.idem.redis;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import redis.clients.jedis.Connection;
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

    private final RedisOptions options;
    private final JedisClientConfig config;
    /** Knows which node serves which slot. */
    private final ClusterConnectionProvider map;

    private final Map<HostAndPort, ConnectionStack> connections = new ConcurrentHashMap<>();

    ClusterNodes(RedisOptions options, JedisClientConfig config) {
        this.options = options;
        this.config = config;
        this.map = new ClusterConnectionProvider(new LinkedHashSet<>(options.hosts()), config);
    }

    @Override
    public <T> T holding(byte[] key, Work<T> work) {
        int slot = JedisClusterCRC16.getSlot(key);
        for (int moves = 0; ; moves++) {
            try {
                return to(nodeOf(slot)).use(work, false);
            } catch (JedisMovedDataException e) {
                if (moves == MOST_MOVES) {
                    throw new JedisClusterOperationException("the key has moved " + moves + " times", e);
                }
                map.renewSlotCache();
            } catch (JedisAskDataException e) {
                return to(e.getTargetNode()).use(work, true);
            } catch (JedisConnectionException e) {
                // Its replica may have taken its place.
                map.renewSlotCache();
                throw e;
            }
        }
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

    private ConnectionStack to(HostAndPort node) {
        ConnectionStack known = connections.get(node);
        return known != null
                ? known
                : connections.computeIfAbsent(node, host -> new ConnectionStack(host, config, options));
    }

    @Override
    public List<String> masters() {
        map.renewSlotCache();
        return List.copyOf(new TreeSet<>(map.getPrimaryNodes().keySet()));
    }

    @Override
    public <T> T at(String master, Work<T> work) {
        return to(HostAndPort.from(master)).use(work, false);
    }

    @Override
    public Connection apart() {
        JedisConnectionException last = null;
        for (String node : map.getNodes().keySet()) {
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
        connections.values().forEach(ConnectionStack::close);
        map.close();
    }
}
