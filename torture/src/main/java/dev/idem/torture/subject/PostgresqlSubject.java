package dev.idem.torture.subject;

import dev.idem.lab.PostgresqlServer;
import dev.idem.lab.Proxy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL server that syncs every commit, behind a proxy. */
final class PostgresqlSubject implements Subject {
    /** Asks whether the server speaks TLS; a running server answers no with a single letter. */
    private static final byte[] TLS_REQUEST =
            ByteBuffer.allocate(8).putInt(8).putInt(80_877_103).array();

    private static final String STARTING_UP = "57P03";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path output;
    private final @Nullable SettableClock clock;
    private final PostgresqlServer postgres;
    private final Proxy proxy;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean closed;

    PostgresqlSubject(Path folder, Set<Deed> deeds) throws IOException {
        this.output = folder.resolve("postgresql.log");
        this.clock = deeds.contains(Deed.JUMP) ? new SettableClock(folder) : null;
        this.postgres = new PostgresqlServer(folder);
        this.proxy = new Proxy(postgres.port());
        if (clock != null) {
            restarted();
            tryOn(clock);
        }
    }

    private void tryOn(SettableClock settable) throws IOException {
        try {
            settable.tryOn(this::time);
        } catch (UnsupportedOperationException e) {
            close();
            throw e;
        }
    }

    /** It is asked until it has recovered from being killed. */
    private Instant time() throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                return timeNow();
            } catch (SQLException e) {
                if (!STARTING_UP.equals(e.getSQLState()) || System.nanoTime() - end > 0) {
                    throw new IOException(e);
                }
            }
        }
    }

    private Instant timeNow() throws SQLException {
        try (Connection connection = postgres.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT now()")) {
            row.next();
            return row.getTimestamp(1).toInstant();
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
        return plainUrl().replace(":" + postgres.port() + "/", ":" + proxy.port() + "/");
    }

    @Override
    public String plainUrl() {
        return postgres.url();
    }

    @Override
    public Optional<Proxy> proxy() {
        return Optional.of(proxy);
    }

    @Override
    public void jump(Duration offset) {
        Objects.requireNonNull(clock).set(offset);
    }

    /** Kills the whole server and starts it again with the same arguments. */
    @Override
    public void restart() throws IOException {
        lock.lock();
        try {
            if (!closed) {
                restarted();
            }
        } finally {
            lock.unlock();
        }
    }

    private void restarted() throws IOException {
        ProcessHandle server = server();
        List<String> command = command(server.pid());
        // Otherwise it might start another process that is missed here and blocks the next start.
        freeze(server.pid());
        List<ProcessHandle> all =
                Stream.concat(Stream.of(server), server.descendants()).toList();
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(each -> each.onExit().join());
        new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                .start();
        Ports.await(postgres.port(), TLS_REQUEST, "N");
    }

    private static void freeze(long pid) throws IOException {
        try {
            new ProcessBuilder("kill", "-STOP", Long.toString(pid)).start().waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private ProcessHandle server() throws IOException {
        long pid = Long.parseLong(Files.readAllLines(postgres.data().resolve("postmaster.pid"))
                .get(0)
                .strip());
        return ProcessHandle.of(pid).orElseThrow(() -> new IOException("the server " + pid + " is gone"));
    }

    private List<String> command(long pid) throws IOException {
        String line = Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"), StandardCharsets.UTF_8);
        List<String> command = new ArrayList<>(clock == null ? List.of() : clock.prefix());
        if (System.getProperty("user.name").equals("root")) {
            // The server refuses to run as root; in its own user namespace it runs as the user "nobody".
            command.addAll(List.of("unshare", "-U"));
        }
        command.addAll(List.of(line.split("\0")));
        return command;
    }

    @Override
    public void close() throws IOException {
        proxy.close();
        // Waits for a running restart, so that no server is started after the close.
        lock.lock();
        try {
            closed = true;
            postgres.close();
        } finally {
            lock.unlock();
        }
    }
}
