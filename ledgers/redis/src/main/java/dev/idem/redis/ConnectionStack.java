package dev.idem.redis;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * The connections to one server. The one used last is used next, so that a quiet program needs one. (The driver's own
 * pool, with all it can do, takes a tenth of a call's time.)
 */
final class ConnectionStack implements AutoCloseable {
    private final HostAndPort host;
    private final JedisClientConfig config;
    private final Duration patience;
    private final Semaphore permits;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Connection> idle = new ArrayDeque<>();
    private boolean closed;

    ConnectionStack(HostAndPort host, JedisClientConfig config, RedisOptions options) {
        this.host = host;
        this.config = config;
        this.patience = options.timeout();
        this.permits = new Semaphore(options.connections());
    }

    <T> T use(Nodes.Work<T> work, boolean asking) {
        acquire();
        try {
            return useOne(work, asking);
        } finally {
            permits.release();
        }
    }

    private <T> T useOne(Nodes.Work<T> work, boolean asking) {
        Connection connection = pop();
        if (connection == null) {
            connection = new Connection(host, config);
        }
        boolean whole = false;
        try {
            T answer = work.with(connection, asking);
            whole = true;
            return answer;
        } catch (JedisDataException e) {
            // An answer like any other, as far as the connection goes.
            whole = true;
            throw e;
        } catch (JedisConnectionException e) {
            // The server has most likely closed the others too.
            drain().forEach(ConnectionStack::end);
            throw e;
        } finally {
            if (!whole || connection.isBroken() || !push(connection)) {
                end(connection);
            }
        }
    }

    private void acquire() {
        if (permits.tryAcquire()) {
            return;
        }
        try {
            if (!permits.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new JedisConnectionException("all connections to " + host + " were in use for "
                        + patience.toMillis() + " ms; nothing was sent");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JedisConnectionException("interrupted while waiting for a connection; nothing was sent", e);
        }
    }

    private @Nullable Connection pop() {
        lock.lock();
        try {
            return idle.pollFirst();
        } finally {
            lock.unlock();
        }
    }

    private boolean push(Connection connection) {
        lock.lock();
        try {
            if (!closed) {
                idle.addFirst(connection);
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    private List<Connection> drain() {
        lock.lock();
        try {
            List<Connection> all = new ArrayList<>(idle);
            idle.clear();
            return all;
        } finally {
            lock.unlock();
        }
    }

    private static void end(Connection connection) {
        try {
            connection.close();
        } catch (JedisConnectionException e) {
            // It is gone either way.
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        drain().forEach(ConnectionStack::end);
    }
}
