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
    /** The connection there is, if any; read without the lock by whoever wants it closed. */
    private volatile @Nullable Listener listener;

    private volatile @Nullable Thread thread;
    private volatile boolean closed;

    Wakes(Nodes nodes, Keys keys, Watches watches, String prefix) {
        this.nodes = nodes;
        this.keys = keys;
        this.watches = watches;
        this.silence = (prefix + UUID.randomUUID()).getBytes(StandardCharsets.US_ASCII);
    }

    /** How many wait for an entry, whether the server has been told, and whether they may have missed a change. */
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
            // A change from now on is heard. If the server does not answer in time a wake may be lost, as wakes may.
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

    /** Whoever has the lock may be writing to a server that no longer reads: that ends when the line is closed. */
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

    /** Closes a line that did not answer, if it is still the one in use, so that another is made. */
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
                // Waiters look for themselves now and then; the connection is made again.
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
            // Before it is closed: from here on nobody writes to it.
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

    /** Does not wait for the lock, which one may hold who waits for the server. */
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
                // The connection is gone, and will be made again with all channels.
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
            // First, since the driver connects again for whoever writes to a closed connection.
            hungUp = true;
            try {
                connection.forceDisconnect();
            } catch (IOException e) {
                // It is gone already.
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

        /** The connection listens: now for everything that is waited for. */
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

        /** Whether a change may have been missed before. */
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
