package dev.idem.examples.checkout;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** A PostgreSQL server as durable as one in earnest. */
final class PostgresqlStore implements Store {
    private static final String WORKING_FOLDER = "ot.epg.working-dir";

    private final EmbeddedPostgres server;

    PostgresqlStore(Path folder) throws IOException {
        // It makes this folder before it is told of another.
        System.setProperty(WORKING_FOLDER, folder.resolve("binaries").toString());
        server = EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(folder.resolve("binaries").toFile())
                .setDataDirectory(folder.resolve("postgresql"))
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("unix_socket_directories", "")
                .setServerConfig("listen_addresses", "127.0.0.1")
                .setPGStartupWait(Duration.ofSeconds(60))
                .start();
    }

    @Override
    public String url() {
        return "postgresql://postgres@127.0.0.1:" + server.getPort() + "/postgres";
    }

    @Override
    public void close() throws IOException {
        System.clearProperty(WORKING_FOLDER);
        server.close();
    }
}
