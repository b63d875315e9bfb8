package dev.idem.torture.subject;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import redis.embedded.core.ExecutableProvider;

/** A single Redis server that writes everything to disk before it answers, behind a proxy. */
final class RedisSubject implements Subject {
    private static final byte[] PING = "PING\r\n".getBytes(StandardCharsets.US_ASCII);

    private final Path folder;
    private final Path binary;
    private final int port;
    private final Proxy proxy;
    private final ReentrantLock lock = new ReentrantLock();
    private Process server;
    private boolean closed;

    RedisSubject(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder.resolve("redis"));
        this.binary = ExecutableProvider.newJarResourceProvider(folder.toFile())
                .get()
                .toPath()
                .toAbsolutePath();
        this.port = Ports.free();
        this.server = start();
        this.proxy = new Proxy(port);
    }

    private Process start() throws IOException {
        Process started = new ProcessBuilder(
                        binary.toString(),
                        "--bind",
                        "127.0.0.1",
                        "--port",
                        Integer.toString(port),
                        "--dir",
                        folder.toString(),
                        "--appendonly",
                        "yes",
                        "--appendfsync",
                        "always",
                        "--save",
                        "",
                        "--daemonize",
                        "no")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("redis.log").toFile()))
                .start();
        try {
            Ports.await(port, PING, "+PONG");
            return started;
        } catch (IOException e) {
            started.destroyForcibly().onExit().join();
            throw e;
        }
    }

    @Override
    public Set<Deed> deeds() {
        return EnumSet.complementOf(EnumSet.of(Deed.FULL));
    }

    @Override
    public String url() {
        return "redis://127.0.0.1:" + proxy.port();
    }

    @Override
    public String plainUrl() {
        return "redis://127.0.0.1:" + port;
    }

    @Override
    public Optional<Proxy> proxy() {
        return Optional.of(proxy);
    }

    @Override
    public void restart() throws IOException {
        lock.lock();
        try {
            server.destroyForcibly().onExit().join();
            server = closed ? server : start();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        proxy.close();
        // Waits for a restart that is under way, so that nothing is started behind its back.
        lock.lock();
        try {
            closed = true;
            server.destroyForcibly().onExit().join();
        } finally {
            lock.unlock();
        }
    }
}
