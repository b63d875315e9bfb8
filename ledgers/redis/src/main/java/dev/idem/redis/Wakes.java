package dev.idem.redis;

import dev.idem.entry.Address;
import dev.idem.ledger.Awaitable.Watch;
import dev.idem.ledger.Watches;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.BinaryJedisPubSub;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Hears of changes that others make. The channel of an entry is named like its key; one connection listens to the
 * channels of all entries that somebody here waits for. It is made with the first watch.
 */
final class Wakes implements AutoCloseable {
    private static final long PAUSE = Duration.ofMillis(200).toNanos();
    private static final long PATIENCE_MILLIS = 500;

    private final Nodes nodes;
    private final Keys keys;
    private final Watches watches;
    /** Keeps the connection listening while nobody waits; nobody publishes there. */
    private final byte[] silence;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Address, Channel> channels = new HashMap<>();
    private @Nullable Listener listener;
    private @Nullable Thread thread;
    private volatile boolean closed;

    Wakes(Nodes nodes, Keys keys, Watches watches, String prefix) {
        this.nodes = nodes;
        this.keys = keys;
        this.watches = watches;
        this.silence = (prefix + UUID.randomUUID()).getBytes(StandardCharsets.US_ASCII);
    }

    /** How many wait for an entry, and whether the server has been told. */
    private static final class Channel {
        int watchers;
        final CountDownLatch confirmed = new CountDownLatch(1);
    }

    Watch watch(Address address, Runnable wake) {
        Watch local = watches.add(address, wake);
        Channel channel = enter(address);
        try {
            // A change from now on is heard. If the server does not answer in time a wake may be lost, as wakes may.
            channel.confirmed.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        AtomicBoolean open = new AtomicBoolean(true);
        return () -> {
            local.close();
            if (open.compareAndSet(true, false)) {
                leave(address);
            }
        };
    }

    private Channel enter(Address address) {
        lock.lock();
        try {
            Channel channel = channels.computeIfAbsent(address, at -> new Channel());
            channel.watchers++;
            if (thread == null && !closed) {
                thread = new Thread(this::listen, "idem-redis-wakes");
                thread.setDaemon(true);
                thread.start();
            } else if (channel.watchers == 1 && listener != null) {
                listener.add(keys.of(address));
            }
            return channel;
        } finally {
            lock.unlock();
        }
    }

    private void leave(Address address) {
        lock.lock();
        try {
            Channel channel = channels.get(address);
            if (channel != null && --channel.watchers == 0) {
                channels.remove(address);
                if (listener != null) {
                    listener.remove(keys.of(address));
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void listen() {
        while (!closed) {
            try (Connection connection = nodes.apart()) {
                Listener fresh = new Listener(connection);
                fresh.proceed(connection, silence);
            } catch (RuntimeException e) {
                // Waiters look for themselves now and then; the connection is made again.
                if (closed) {
                    return;
                }
            } finally {
                forget();
            }
            watches.wakeAll();
            LockSupport.parkNanos(this, PAUSE);
        }
    }

    private void forget() {
        lock.lock();
        try {
            listener = null;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            if (listener != null) {
                listener.hangUp();
            }
            LockSupport.unpark(thread);
        } finally {
            lock.unlock();
        }
    }

    private final class Listener extends BinaryJedisPubSub {
        private final Connection connection;

        Listener(Connection connection) {
            this.connection = connection;
        }

        /** Called under the lock: commands of two threads must not mix. */
        void add(byte[] channel) {
            try {
                subscribe(channel);
            } catch (JedisException e) {
                // The connection is gone, and will be made again with all channels.
            }
        }

        void remove(byte[] channel) {
            try {
                unsubscribe(channel);
            } catch (JedisException e) {
                // As above.
            }
        }

        void hangUp() {
            try {
                connection.forceDisconnect();
            } catch (IOException e) {
                // It is gone already.
            }
        }

        @Override
        public void onSubscribe(byte[] channel, int count) {
            lock.lock();
            try {
                Address address = keys.address(channel);
                Channel known = address == null ? null : channels.get(address);
                if (known != null) {
                    known.confirmed.countDown();
                } else if (address == null) {
                    begin();
                }
            } finally {
                lock.unlock();
            }
        }

        /** The connection listens: now for everything that is waited for. */
        private void begin() {
            listener = this;
            if (closed) {
                hangUp();
            }
            channels.keySet().forEach(address -> add(keys.of(address)));
        }

        @Override
        public void onMessage(byte[] channel, byte[] message) {
            Address address = keys.address(channel);
            if (address != null) {
                watches.wake(address);
            }
        }
    }
}
