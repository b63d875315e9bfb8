package dev.idem.benchmarks;

import dev.idem.Idem;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** A PostgreSQL of its own, as durable as one in earnest, that is gone when it is closed. */
final class PostgresqlServer implements AutoCloseable {
    private final TempFolder folder;
    private final EmbeddedPostgres server;

    PostgresqlServer(Path parent) throws IOException {
        folder = new TempFolder(parent);
        // Also what it makes although it is told where to work.
        System.setProperty("ot.epg.working-dir", folder.file("binaries").toString());
        server = EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(folder.file("binaries").toFile())
                .setDataDirectory(folder.file("data"))
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("unix_socket_directories", "")
                .setServerConfig("listen_addresses", "127.0.0.1")
                .setPGStartupWait(Duration.ofSeconds(60))
                .start();
    }

    Idem open() {
        return Idem.builder()
                .ledger("postgresql://postgres@127.0.0.1:" + server.getPort() + "/postgres")
                .quiet()
                .open();
    }

    Connection connect() throws SQLException {
        return server.getPostgresDatabase().getConnection();
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
