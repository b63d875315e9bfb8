package dev.idem.redis;

import dev.idem.Address;
import dev.idem.spi.Awaitable.Watch;
import dev.idem.spi.Watches;
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
 * Receives announcements of changes. The channel of an entry is named like its key; one connection listens to the
 * channels of all watched entries. It is opened with the first watch.
 */
final class Wakes implements AutoCloseable {
    private static final long PAUSE = Duration.ofMillis(200).toNanos();
    private static final long PATIENCE_MILLIS = 500;

    private final Nodes nodes;
    private final Keys keys;
    private final Watches watches;
    /** An unused channel that keeps the connection subscribed while there is no waiter. */
    private final byte[] silence;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Address, Channel> channels = new HashMap<>();
    /** The current connection, if any; read without the lock in order to close it. */
    private volatile @Nullable Listener listener;

    private volatile @Nullable Thread thread;
    private volatile boolean closed;

    Wakes(Nodes nodes, Keys keys, Watches watches, String prefix) {
        this.nodes = nodes;
        this.keys = keys;
        this.watches = watches;
        this.silence = (prefix + UUID.randomUUID()).getBytes(StandardCharsets.US_ASCII);
    }

    /** The number of waiters of an entry, whether it is subscribed, and whether a change may have been missed. */
    private static final class Channel {
        int watchers;
        volatile boolean missed;
        final CountDownLatch confirmed = new CountDownLatch(1);
    }

    Watch watch(Address address, Runnable wake) {
        Watch local = watches.add(address, wake);
        Listener asked = listener;
        Channel channel = enter(address);
        try {
            // Later changes are received. Without an answer in time a wake-up may be lost.
            if (!channel.confirmed.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
                channel.missed = true;
                hangUp(asked);
            }
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
        lock();
        try {
            Channel channel = channels.computeIfAbsent(address, at -> new Channel());
            channel.watchers++;
            if (thread == null && !closed) {
                Thread made = new Thread(this::listen, "idem-redis-wakes");
                made.setDaemon(true);
                made.start();
                thread = made;
            } else if (channel.watchers == 1 && listener != null) {
                listener.add(keys.of(address));
            }
            return channel;
        } finally {
            lock.unlock();
        }
    }

    private void leave(Address address) {
        lock();
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

    /** The owner of the lock may be writing to a server that no longer reads; closing the connection ends that. */
    private void lock() {
        if (lock.tryLock()) {
            return;
        }
        Listener known = listener;
        try {
            if (lock.tryLock(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
                return;
            }
            hangUp(known);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        lock.lock();
    }

    /** Closes a connection that did not answer, if it is still the current one, so that a new one is opened. */
    private void hangUp(@Nullable Listener silent) {
        if (silent != null && silent == listener) {
            silent.hangUp();
        }
    }

    private void listen() {
        while (!closed) {
            try (Connection connection = nodes.apart()) {
                listen(connection);
            } catch (RuntimeException e) {
                // Waiters also poll; the connection is opened again.
                if (closed) {
                    return;
                }
            }
            watches.wakeAll();
            LockSupport.parkNanos(this, PAUSE);
        }
    }

    private void listen(Connection connection) {
        Listener fresh = new Listener(connection);
        listener = fresh;
        try {
            if (!closed) {
                fresh.proceed(connection, silence);
            }
        } finally {
            // Before the close: from here on no thread writes to it.
            forget();
        }
    }

    private void forget() {
        lock.lock();
        try {
            listener = null;
            channels.values().forEach(channel -> channel.missed = true);
        } finally {
            lock.unlock();
        }
    }

    /** Does not wait for the lock, whose owner may wait for the server. */
    @Override
    public void close() {
        closed = true;
        hangUp(listener);
        LockSupport.unpark(thread);
    }

    private final class Listener extends BinaryJedisPubSub {
        private final Connection connection;
        private boolean begun;
        private volatile boolean hungUp;

        Listener(Connection connection) {
            this.connection = connection;
        }

        /** Called under the lock: commands of two threads must not mix. */
        void add(byte[] channel) {
            if (!begun || hungUp) {
                return;
            }
            try {
                subscribe(channel);
            } catch (JedisException e) {
                // The connection is broken, and will be opened again with all channels.
            }
        }

        void remove(byte[] channel) {
            if (!begun || hungUp) {
                return;
            }
            try {
                unsubscribe(channel);
            } catch (JedisException e) {
                // As above.
            }
        }

        void hangUp() {
            // First, because the driver reconnects when a thread writes to a closed connection.
            hungUp = true;
            try {
                connection.forceDisconnect();
            } catch (IOException e) {
                // Already closed.
            }
        }

        @Override
        public void onSubscribe(byte[] channel, int count) {
            Address address = keys.address(channel);
            if (address == null) {
                begin();
            } else if (confirm(address)) {
                watches.wake(address);
            }
        }

        /** Subscribes to the channels of all watched entries. */
        private void begin() {
            lock.lock();
            try {
                begun = true;
                if (hungUp) {
                    hangUp();
                }
                channels.keySet().forEach(address -> add(keys.of(address)));
            } finally {
                lock.unlock();
            }
        }

        /** Marks the channel as subscribed; returns whether a change may have been missed before. */
        private boolean confirm(Address address) {
            lock.lock();
            try {
                Channel known = channels.get(address);
                if (known == null) {
                    return false;
                }
                boolean missed = known.missed;
                known.missed = false;
                known.confirmed.countDown();
                return missed;
            } finally {
                lock.unlock();
            }
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
