package dev.idem.postgresql;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A data source whose connections come with autocommit off, as some frameworks set them. */
record ManualCommits(DataSource source) implements DataSource {
    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = source.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return getConnection();
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return source.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        source.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        source.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return source.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getLogger("none");
    }

    @Override
    public <T> T unwrap(Class<T> kind) throws SQLException {
        return source.unwrap(kind);
    }

    @Override
    public boolean isWrapperFor(Class<?> kind) throws SQLException {
        return source.isWrapperFor(kind);
    }
}
