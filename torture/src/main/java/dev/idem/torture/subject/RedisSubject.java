package dev.idem.torture.subject;

import dev.idem.lab.RedisProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** A single Redis server that writes everything to disk before it answers, behind a proxy. */
final class RedisSubject implements Subject {
    private final RedisProcess server;
    private final Proxy proxy;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean closed;

    RedisSubject(Path folder) throws IOException {
        server = RedisProcess.start(
                RedisProcess.bundled(folder), folder, "--appendonly", "yes", "--appendfsync", "always");
        proxy = new Proxy(server.port());
    }

    @Override
    public Set<Deed> deeds() {
        return EnumSet.complementOf(EnumSet.of(Deed.FULL));
    }

    @Override
    public String url() {
        return "redis://" + RedisProcess.LOOPBACK + ":" + proxy.port();
    }

    @Override
    public String plainUrl() {
        return server.url();
    }

    @Override
    public Optional<Proxy> proxy() {
        return Optional.of(proxy);
    }

    @Override
    public void restart() {
        lock.lock();
        try {
            if (!closed) {
                server.kill();
                server.start();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        proxy.close();
        // Waits for a running restart, so that no server is started after the close.
        lock.lock();
        try {
            closed = true;
            server.close();
        } finally {
            lock.unlock();
        }
    }
}
