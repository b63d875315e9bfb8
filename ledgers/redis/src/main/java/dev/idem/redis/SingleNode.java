package dev.idem.redis;

import java.util.List;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;

/** One server. */
final class SingleNode implements Nodes {
    private final HostAndPort host;
    private final JedisClientConfig config;
    private final ConnectionPool pool;

    SingleNode(RedisOptions options) {
        this.host = options.hosts().get(0);
        this.config = Clients.config(options);
        this.pool = new ConnectionPool(host, config, Pools.config(options));
    }

    @Override
    public <T> T holding(byte[] key, Work<T> work) {
        return Pools.use(pool::getResource, pool::clear, work, false);
    }

    @Override
    public String holder(byte[] key) {
        return host.toString();
    }

    @Override
    public List<String> masters() {
        return List.of(host.toString());
    }

    @Override
    public <T> T at(String master, Work<T> work) {
        return Pools.use(pool::getResource, pool::clear, work, false);
    }

    @Override
    public Connection apart() {
        return new Connection(host, config);
    }

    @Override
    public void close() {
        pool.close();
    }
}
