package dev.idem.gauntlet;

import dev.idem.lab.PostgresqlServer;
import dev.idem.lab.RedisProcess;
import dev.idem.lab.TempFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The servers of one run, each started at its first use; or those that another process has started. */
final class Servers implements AutoCloseable {
    private static final String POSTGRESQL = "gauntlet.postgresql";
    private static final String REDIS = "gauntlet.redis";

    private final Path parent;
    private @Nullable PostgresqlServer postgresql;
    private @Nullable RedisProcess redis;
    private @Nullable TempFolder folder;

    Servers(Path parent) {
        this.parent = parent;
    }

    /** The port of a PostgreSQL server with production durability. */
    synchronized int postgresql() {
        Integer given = Integer.getInteger(POSTGRESQL);
        if (given != null) {
            return given;
        }
        try {
            if (postgresql == null) {
                postgresql = new PostgresqlServer(folder());
            }
            return postgresql.port();
        } catch (IOException e) {
            throw new UncheckedIOException("no PostgreSQL", e);
        }
    }

    /** The port of a Redis server with an append-only file that is synced every second. */
    synchronized int redis() {
        Integer given = Integer.getInteger(REDIS);
        if (given != null) {
            return given;
        }
        try {
            if (redis == null) {
                Path home = folder();
                redis = RedisProcess.start(
                        RedisProcess.bundled(home), home, "--appendonly", "yes", "--appendfsync", "everysec");
            }
            return redis.port();
        } catch (IOException e) {
            throw new UncheckedIOException("no Redis", e);
        }
    }

    private Path folder() throws IOException {
        if (folder == null) {
            folder = new TempFolder(parent);
        }
        return folder.path();
    }

    /** The arguments for a child process, so that it uses these servers and starts none. */
    synchronized List<String> forChild() {
        return List.of(
                "-D" + POSTGRESQL + "=" + (postgresql == null ? 0 : postgresql.port()),
                "-D" + REDIS + "=" + (redis == null ? 0 : redis.port()));
    }

    @Override
    public synchronized void close() throws IOException {
        try {
            if (redis != null) {
                redis.close();
            }
            if (postgresql != null) {
                postgresql.close();
            }
        } finally {
            if (folder != null) {
                folder.close();
            }
        }
    }
}
