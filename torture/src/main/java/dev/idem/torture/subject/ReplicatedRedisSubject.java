package dev.idem.torture.subject;

import dev.idem.lab.Proxy;
import dev.idem.lab.RedisProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** A Redis master behind a proxy, and its replica, which hears of the master through another proxy. */
final class ReplicatedRedisSubject implements Subject {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String option;
    private final Proxy proxy;
    private final ReentrantLock lock = new ReentrantLock();
    private RedisProcess master;
    private RedisProcess replica;
    private Proxy link;
    private boolean closed;

    /** {@code option} says in the URL whether the ledger waits for the replica. */
    ReplicatedRedisSubject(Path folder, String option) throws IOException {
        this.option = option;
        Path binary = RedisProcess.bundled(folder);
        master = server(binary, folder.resolve("one"));
        replica = server(binary, folder.resolve("other"));
        proxy = new Proxy(master.port());
        link = new Proxy(master.port());
        follow();
    }

    private static RedisProcess server(Path binary, Path folder) {
        return RedisProcess.start(
                binary,
                folder,
                "--appendonly",
                "yes",
                "--appendfsync",
                "always",
                "--repl-diskless-sync",
                "yes",
                "--repl-diskless-sync-delay",
                "0");
    }

    /** Returns when the replica has everything. */
    private void follow() throws IOException {
        replica.follow(link.port());
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!master.isFollowed()) {
            if (System.nanoTime() - end > 0) {
                throw new IOException("the replica on port " + replica.port() + " does not follow");
            }
        }
    }

    @Override
    public Set<Deed> deeds() {
        return EnumSet.complementOf(EnumSet.of(Deed.FULL, Deed.JUMP));
    }

    @Override
    public String url() {
        return "redis://" + RedisProcess.LOOPBACK + ":" + proxy.port() + option;
    }

    @Override
    public String plainUrl() {
        return master.url();
    }

    @Override
    public Optional<Proxy> proxy() {
        return Optional.of(proxy);
    }

    @Override
    public void restart() throws IOException {
        lock.lock();
        try {
            if (!closed) {
                master.kill();
                master.start();
                follow();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void failOver(Duration lag, boolean split) throws IOException {
        lock.lock();
        try {
            if (!closed) {
                link.swallow(true);
                pause(lag);
                if (!split) {
                    master.kill();
                }
                replica.lead();
                if (split) {
                    pause(lag);
                }
                takeOver();
            }
        } finally {
            lock.unlock();
        }
    }

    private void takeOver() throws IOException {
        RedisProcess old = master;
        master = replica;
        replica = old;
        proxy.turnTo(master.port());
        old.kill();
        link.close();
        link = new Proxy(master.port());
        old.start();
        follow();
    }

    private static void pause(Duration time) throws IOException {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public void close() throws IOException {
        proxy.close();
        // Waits for a running failover, so that no server is started after the close.
        lock.lock();
        try {
            closed = true;
            link.close();
            master.close();
            replica.close();
        } finally {
            lock.unlock();
        }
    }
}
