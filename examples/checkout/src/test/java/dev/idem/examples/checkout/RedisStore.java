package dev.idem.examples.checkout;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.embedded.core.ExecutableProvider;

/** A Redis server that writes everything to disk before it answers. */
final class RedisStore implements Store {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    private final int port;
    private final Process server;

    RedisStore(Path folder) throws IOException {
        Path binary = ExecutableProvider.newJarResourceProvider(folder.toFile())
                .get()
                .toPath()
                .toAbsolutePath();
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        server = new ProcessBuilder(
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
                        "")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("redis.log").toFile())
                .start();
        awaitAnswer();
    }

    private void awaitAnswer() {
        long end = System.nanoTime() + PATIENCE;
        while (true) {
            try (Jedis jedis = new Jedis("127.0.0.1", port)) {
                jedis.ping();
                return;
            } catch (JedisConnectionException e) {
                if (!server.isAlive() || System.nanoTime() - end > 0) {
                    close();
                    throw new IllegalStateException("the Redis server on port " + port + " does not answer", e);
                }
            }
        }
    }

    @Override
    public String url() {
        return "redis://127.0.0.1:" + port;
    }

    @Override
    public void close() {
        server.destroyForcibly().onExit().join();
    }
}
