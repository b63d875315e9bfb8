package dev.idem.torture.subject;

import dev.idem.lab.Proxy;
import dev.idem.lab.RedisProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A single Redis server that writes everything to disk before it answers, behind a proxy. */
final class RedisSubject implements Subject {
    private final @Nullable SettableClock clock;
    private final RedisProcess server;
    private final Proxy proxy;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean closed;

    RedisSubject(Path folder, Set<Deed> deeds) throws IOException {
        clock = deeds.contains(Deed.JUMP) ? new SettableClock(folder) : null;
        Path binary = clock == null ? RedisProcess.bundled(folder) : clocked(folder, clock);
        server = RedisProcess.start(binary, folder, "--appendonly", "yes", "--appendfsync", "always");
        if (clock != null) {
            tryOn(clock);
        }
        proxy = new Proxy(server.port());
    }

    /** The program of the system where there is one: the bundled one may be linked statically. */
    private static Path clocked(Path folder, SettableClock clock) throws IOException {
        Path script = folder.resolve("redis-with-a-clock");
        Files.writeString(
                script,
                "#!/bin/sh\nPROGRAM=$(command -v redis-server || echo " + RedisProcess.bundled(folder) + ")\nexec "
                        + String.join(" ", clock.prefix()) + " \"$PROGRAM\" \"$@\"\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        return script;
    }

    private void tryOn(SettableClock settable) throws IOException {
        try {
            settable.tryOn(server::time);
        } catch (UnsupportedOperationException e) {
            server.close();
            throw e;
        }
    }

    @Override
    public Set<Deed> deeds() {
        Set<Deed> deeds = EnumSet.complementOf(EnumSet.of(Deed.FULL, Deed.FAILOVER, Deed.JUMP));
        if (clock != null) {
            deeds.add(Deed.JUMP);
        }
        return deeds;
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
    public void jump(Duration offset) {
        Objects.requireNonNull(clock).set(offset);
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
