package dev.idem.gauntlet;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** A PostgreSQL of its own, as durable as one in earnest, that is gone when it is closed. */
final class PostgresqlServer implements AutoCloseable {
    private final TempFolder folder;
    private final EmbeddedPostgres server;

    PostgresqlServer(Path parent) throws IOException {
        folder = new TempFolder(parent);
        try {
            server = start();
        } catch (IOException | IllegalStateException e) {
            folder.close();
            throw e;
        }
    }

    private EmbeddedPostgres start() throws IOException {
        // Also what it makes although it is told where to work.
        System.setProperty("ot.epg.working-dir", folder.file("binaries").toString());
        return EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(folder.file("binaries").toFile())
                .setDataDirectory(folder.file("data"))
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("max_connections", "200")
                .setServerConfig("unix_socket_directories", "")
                .setServerConfig("listen_addresses", "127.0.0.1")
                .setPGStartupWait(Duration.ofSeconds(60))
                .start();
    }

    int port() {
        return server.getPort();
    }

    @Override
    public void close() throws IOException {
        try {
            server.close();
        } finally {
            folder.close();
        }
    }
}
