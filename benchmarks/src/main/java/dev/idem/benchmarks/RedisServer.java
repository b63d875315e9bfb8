package dev.idem.benchmarks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.embedded.core.ExecutableProvider;

/** A Redis 6.2 on a free port of the loopback that saves nothing, as the network is what is measured here. */
final class RedisServer implements AutoCloseable {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);

    private final int port;
    private final Process process;

    RedisServer(TempFolder folder) throws IOException {
        Path home = Files.createDirectories(folder.file("redis"));
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
                        "no")
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
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(PATIENCE, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
