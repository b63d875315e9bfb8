package dev.idem.lab;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;

/** A PostgreSQL of its own, as durable as one in earnest, on a free port of the loopback. */
public final class PostgresqlServer implements Closeable {
    private static final String WORKING_FOLDER = "ot.epg.working-dir";

    private final Path data;
    private final EmbeddedPostgres server;

    /** Starts one, all of whose files are in this folder. */
    public PostgresqlServer(Path folder) throws IOException {
        data = folder.resolve("postgresql");
        // It makes this folder before it is told of another.
        System.setProperty(WORKING_FOLDER, folder.resolve("binaries").toString());
        server = PostgresqlStock.server(folder.resolve("binaries"), data).start();
    }

    /** Where it listens. */
    public int port() {
        return server.getPort();
    }

    /** The ledger in it. */
    public String url() {
        return "postgresql://postgres@127.0.0.1:" + port() + "/postgres";
    }

    /** Where it keeps its database. */
    public Path data() {
        return data;
    }

    /** A new connection of the administrator's. */
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
