package dev.idem.redis;

import dev.idem.LedgerException;
import java.util.function.Supplier;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** Uses the driver's pools: one for each server, which returns the most recently used connection first. */
final class Pools {
    private Pools() {}

    static ConnectionPoolConfig config(RedisOptions options) {
        ConnectionPoolConfig config = new ConnectionPoolConfig();
        config.setMaxTotal(options.connections());
        config.setMaxIdle(options.connections());
        config.setMaxWait(options.timeout());
        config.setJmxEnabled(false);
        return config;
    }

    /**
     * Works with a connection and returns it to the pool only if all its answers were read.
     *
     * @param clear closes the idle connections
     */
    static <T> T use(Supplier<Connection> pool, Runnable clear, Nodes.Work<T> work, boolean asking) {
        boolean whole = false;
        Connection connection = borrow(pool);
        try {
            T answer = work.with(connection, asking);
            whole = true;
            return answer;
        } catch (JedisDataException | LedgerException e) {
            // An error reply is a complete answer for the connection.
            whole = true;
            throw e;
        } catch (JedisConnectionException e) {
            // The server has most likely closed the others too.
            clear.run();
            throw e;
        } finally {
            if (!whole) {
                connection.setBroken();
            }
            connection.close();
        }
    }

    private static Connection borrow(Supplier<Connection> pool) {
        try {
            return pool.get();
        } catch (JedisException e) {
            if (e.getCause() instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw e;
        }
    }
}
