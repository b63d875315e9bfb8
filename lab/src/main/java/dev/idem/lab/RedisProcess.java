package dev.idem.lab;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.embedded.core.ExecutableProvider;

/** A Redis server on a free loopback port, with its files in its own folder. */
public final class RedisProcess implements Closeable {
    /** The one address it listens on. */
    public static final String LOOPBACK = "127.0.0.1";

    private static final int TRIES = 5;

    private final Path binary;
    private final Path folder;
    private final List<String> settings;
    private final int port;
    private @Nullable Process process;

    private RedisProcess(Path binary, Path folder, int port, List<String> settings) {
        this.binary = binary;
        this.folder = folder;
        this.port = port;
        this.settings = settings;
    }

    /** The program of Redis 6.2, unpacked into a folder. */
    public static Path bundled(Path folder) {
        try {
            return ExecutableProvider.newJarResourceProvider(
                            Files.createDirectories(folder).toFile())
                    .get()
                    .toPath()
                    .toAbsolutePath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a server without persistence; settings are arguments of the command line. */
    public static RedisProcess start(Path binary, Path folder, String... settings) {
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

    /** Starts it again, on its port, with its old files. */
    public void start() {
        Process started;
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
            started = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                    .redirectInput(new File("/dev/null"))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        process = started;
        awaitAnswer(started);
    }

    private Path log() {
        return folder.resolve("redis.log");
    }

    private void awaitAnswer(Process started) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!answers(started)) {
            if (!started.isAlive() || System.nanoTime() - end > 0) {
                throw new IllegalStateException("the server on port " + port + " does not answer:\n" + text(log()));
            }
            // No busy waiting: the server needs the processor to start.
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
    }

    /** Whether it listens and has finished loading; an error reply counts as an answer. */
    private boolean answers(Process started) {
        try (Jedis jedis = new Jedis(host(), plain())) {
            jedis.ping();
            return true;
        } catch (JedisConnectionException e) {
            return settings.contains("--tls-port")
                    && started.isAlive()
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

    /** The port. */
    public int port() {
        return port;
    }

    /** The address for the driver. */
    public HostAndPort host() {
        return new HostAndPort(LOOPBACK, port);
    }

    /** The URL of the ledger in it. */
    public String url() {
        return "redis://" + LOOPBACK + ":" + port;
    }

    /** The folder of its files. */
    public Path folder() {
        return folder;
    }

    /** Runs commands as the administrator. */
    public <T> T admin(Function<Jedis, T> talk) {
        try (Jedis jedis = new Jedis(host(), plain())) {
            return talk.apply(jedis);
        }
    }

    /** Makes it a replica of the server behind this port. */
    public void follow(int leader) {
        admin(jedis -> jedis.replicaof(LOOPBACK, leader));
    }

    /** Makes it a master. */
    public void lead() {
        admin(Jedis::replicaofNoOne);
    }

    /** Whether a replica acknowledges what is written now. */
    public boolean isFollowed() {
        return admin(jedis -> {
            jedis.set("lab:followed", "1");
            return jedis.waitReplicas(1, 500) > 0;
        });
    }

    /** The time by its clock. */
    public Instant time() {
        return Instant.ofEpochSecond(Long.parseLong(admin(Jedis::time).get(0)));
    }

    /** Whether it runs. */
    public boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** Kills it with SIGKILL. */
    public void kill() {
        if (process == null) {
            return;
        }
        process.destroyForcibly();
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the server " + process.pid() + " does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        if (isAlive()) {
            kill();
        }
    }

    /** A free port. A server that must restart on the same port can't use port 0. */
    public static int freePort() {
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
