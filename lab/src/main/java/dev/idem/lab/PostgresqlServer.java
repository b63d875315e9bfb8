package dev.idem.lab;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;

/** A PostgreSQL server with production durability, on a free loopback port. */
public final class PostgresqlServer implements Closeable {
    private static final String WORKING_FOLDER = "ot.epg.working-dir";

    private final Path data;
    private final EmbeddedPostgres server;

    /** Starts a server with all its files in this folder. */
    public PostgresqlServer(Path folder) throws IOException {
        data = folder.resolve("postgresql");
        // The library creates this folder before it reads other settings.
        System.setProperty(WORKING_FOLDER, folder.resolve("binaries").toString());
        server = PostgresqlStock.server(folder.resolve("binaries"), data).start();
    }

    /** The port. */
    public int port() {
        return server.getPort();
    }

    /** The URL of the ledger in it. */
    public String url() {
        return "postgresql://postgres@127.0.0.1:" + port() + "/postgres";
    }

    /** The folder of its database. */
    public Path data() {
        return data;
    }

    /** A new connection of the administrator. */
    public Connection connect() throws SQLException {
        return server.getPostgresDatabase().getConnection();
    }

    @Override
    public void close() throws IOException {
        System.clearProperty(WORKING_FOLDER);
        server.close();
        PostgresqlStock.awaitEnd(data);
    }
}
