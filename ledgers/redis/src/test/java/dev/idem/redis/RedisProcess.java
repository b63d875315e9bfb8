package dev.idem.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/** A Redis server of a test's own, on a free port of the loopback, with its files in a folder of its own. */
final class RedisProcess implements AutoCloseable {
    static final String LOOPBACK = "127.0.0.1";
    private static final int TRIES = 5;

    private final Path binary;
    private final Path folder;
    private final List<String> settings;
    private final int port;
    private Process process;

    private RedisProcess(Path binary, Path folder, int port, List<String> settings) {
        this.binary = binary;
        this.folder = folder;
        this.port = port;
        this.settings = settings;
    }

    /** Starts one without persistence; settings are words of the command line. */
    static RedisProcess start(Path binary, Path folder, String... settings) {
        for (int i = 1; ; i++) {
            RedisProcess redis = new RedisProcess(binary, folder.resolve("redis-" + i), freePort(), List.of(settings));
            try {
                redis.start();
                return redis;
            } catch (IllegalStateException e) {
                // Another program may have taken the port in between.
                redis.close();
                if (i == TRIES) {
                    throw e;
                }
            }
        }
    }

    void start() {
        try {
            Files.createDirectories(folder);
            List<String> command = new ArrayList<>(List.of(
                    binary.toString(),
                    "--bind",
                    LOOPBACK,
                    "--port",
                    Integer.toString(port),
                    "--dir",
                    folder.toString(),
                    "--save",
                    "",
                    "--daemonize",
                    "no"));
            command.addAll(settings);
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log().toFile())
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        awaitAnswer();
    }

    private Path log() {
        return folder.resolve("redis.log");
    }

    private void awaitAnswer() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!answers()) {
            if (!process.isAlive() || System.nanoTime() - end > 0) {
                throw new IllegalStateException("the server on port " + port + " does not answer:\n" + text(log()));
            }
            // Not spinning: the server needs the processor to come up.
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
    }

    /** Whether it listens and is no longer loading; a refusal to say more is an answer too. */
    private boolean answers() {
        try (Jedis jedis = new Jedis(new HostAndPort(LOOPBACK, port), plain())) {
            jedis.ping();
            return true;
        } catch (JedisConnectionException e) {
            return settings.contains("--tls-port")
                    && process.isAlive()
                    && text(log()).contains("Ready to accept");
        } catch (JedisException e) {
            return !String.valueOf(e.getMessage()).startsWith("LOADING");
        }
    }

    private static JedisClientConfig plain() {
        return DefaultJedisClientConfig.builder()
                .serverDefaultProtocol()
                .timeoutMillis(2_000)
                .build();
    }

    private static String text(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            return e.toString();
        }
    }

    int port() {
        return port;
    }

    Path folder() {
        return folder;
    }

    HostAndPort host() {
        return new HostAndPort(LOOPBACK, port);
    }

    /** Talks to it as an administrator would. */
    <T> T admin(Function<Jedis, T> talk) {
        try (Jedis jedis = new Jedis(host(), plain())) {
            return talk.apply(jedis);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** As {@code kill -9} does. */
    void kill() {
        process.destroyForcibly();
        await();
    }

    private void await() {
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the server " + process.pid() + " does not end");
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        if (process != null && process.isAlive()) {
            kill();
        }
    }

    static int freePort() {
        // A cluster talks on a second port, 10000 above the first.
        while (true) {
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                if (socket.getLocalPort() < 55_000) {
                    return socket.getLocalPort();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
