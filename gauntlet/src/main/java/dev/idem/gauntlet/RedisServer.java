package dev.idem.gauntlet;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.embedded.core.ExecutableProvider;

/** A Redis 6.2 on a free port of the loopback, with an append-only file that is synced every second. */
final class RedisServer implements AutoCloseable {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);

    private final TempFolder folder;
    private final int port;
    private final Process process;

    RedisServer(Path parent) throws IOException {
        folder = new TempFolder(parent);
        Path home = folder.file("");
        Path binary =
                ExecutableProvider.newJarResourceProvider(home.toFile()).get().toPath();
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        process = new ProcessBuilder(
                        binary.toAbsolutePath().toString(),
                        "--bind",
                        "127.0.0.1",
                        "--port",
                        Integer.toString(port),
                        "--dir",
                        home.toString(),
                        "--save",
                        "",
                        "--appendonly",
                        "yes",
                        "--appendfsync",
                        "everysec")
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("log").toFile())
                .start();
        try {
            awaitAnswer();
        } catch (IllegalStateException e) {
            close();
            throw e;
        }
    }

    private void awaitAnswer() {
        long end = System.nanoTime() + PATIENCE;
        while (true) {
            try (Jedis jedis = new Jedis("127.0.0.1", port)) {
                jedis.ping();
                return;
            } catch (JedisConnectionException e) {
                if (!process.isAlive() || System.nanoTime() - end > 0) {
                    throw new IllegalStateException("the Redis server on port " + port + " does not answer", e);
                }
            }
        }
    }

    int port() {
        return port;
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        try {
            process.waitFor(PATIENCE, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        folder.close();
    }
}
