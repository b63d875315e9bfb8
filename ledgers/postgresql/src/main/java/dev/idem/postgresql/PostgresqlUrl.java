package dev.idem.postgresql;

import dev.idem.internal.ledger.UrlOption;
import dev.idem.spi.LedgerUrl;
import java.net.URI;
import java.net.URISyntaxException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A parsed ledger URL.
 *
 * @param server how to connect; holds the password
 * @param where the server and database for messages, without secrets
 * @param pool how many connections at most
 * @param timeout how long to wait for a connection
 */
record PostgresqlUrl(PGSimpleDataSource server, String where, int pool, Duration timeout, PostgresqlSettings settings) {
    static final String SCHEME = "postgresql";

    private static final int POOL = 8;
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int DEFAULT_PORT = 5432;
    private static final String SOCKET_SECONDS = "60";
    private static final Duration LONGEST = Duration.ofDays(365);

    /** Reads {@code postgresql://user:password@host:port/database?schema=idem}. */
    static PostgresqlUrl parse(LedgerUrl url) {
        PGSimpleDataSource server = new PGSimpleDataSource();
        String where = address(url, server);
        set(server, PGProperty.TCP_KEEP_ALIVE.getName(), "true");
        set(server, PGProperty.SOCKET_TIMEOUT.getName(), SOCKET_SECONDS);
        set(server, PGProperty.APPLICATION_NAME.getName(), "idem");
        int pool = POOL;
        Duration timeout = TIMEOUT;
        PostgresqlSettings settings = PostgresqlSettings.defaults();
        for (Map.Entry<String, String> option : url.options().entrySet()) {
            String name = option.getKey();
            String value = option.getValue();
            UrlOption given = new UrlOption(name, value);
            switch (name) {
                case "schema" -> settings = settings.withSchema(value);
                case "notify" -> settings = settings.withNotify(given.onOrOff());
                case "migrate" -> settings = settings.withMigrate(given.onOrOff());
                case "lock" -> settings = settings.withLockTimeout(given.duration(Duration.ZERO, LONGEST));
                case "pool" -> pool = given.count(1, 999);
                case "timeout" -> timeout = given.duration(Duration.ZERO, LONGEST);
                default -> driverOption(server, name, value);
            }
        }
        set(server, PGProperty.CONNECT_TIMEOUT.getName(), Long.toString(Math.max(1, timeout.toSeconds())));
        return new PostgresqlUrl(server, where, pool, timeout, settings);
    }

    private static String address(LedgerUrl url, PGSimpleDataSource server) {
        URI uri;
        try {
            uri = new URI(SCHEME + ":" + url.rest());
        } catch (URISyntaxException e) {
            throw malformed(url, e);
        }
        String path = uri.getRawPath();
        // A password that contains a slash would be parsed as the database, and be shown.
        if (uri.getHost() == null || path == null || path.length() < 2 || path.indexOf('@') >= 0) {
            throw malformed(url, null);
        }
        int port = uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
        String database = LedgerUrl.unescaped(path.substring(1));
        String host = uri.getHost().replaceAll("^\\[|]$", "");
        server.setServerNames(new String[] {host});
        server.setPortNumbers(new int[] {port});
        server.setDatabaseName(database);
        String userInfo = uri.getRawUserInfo();
        if (userInfo != null) {
            int colon = userInfo.indexOf(':');
            server.setUser(LedgerUrl.unescaped(colon < 0 ? userInfo : userInfo.substring(0, colon)));
            if (colon >= 0) {
                server.setPassword(LedgerUrl.unescaped(userInfo.substring(colon + 1)));
            }
        }
        return SCHEME + "://" + uri.getHost() + ":" + port + "/" + database;
    }

    /** Without the cause and the text: both may contain the password. */
    private static IllegalArgumentException malformed(LedgerUrl url, @Nullable URISyntaxException e) {
        return new IllegalArgumentException("'" + url + "' names no server and database"
                + (e == null ? "" : " (" + e.getReason() + ")")
                + "; write postgresql://user:password@host:5432/database, and what is special in a user's name or"
                + " password as %-escapes");
    }

    private static void driverOption(PGSimpleDataSource server, String name, String value) {
        if (PGProperty.forName(name) == null) {
            throw new IllegalArgumentException("postgresql: has no option '" + name
                    + "'; it has schema=idem, pool=8, timeout=5s, lock=2s, notify=on|off, migrate=on|off and the"
                    + " properties of the PostgreSQL driver, such as sslmode=verify-full");
        }
        set(server, name, value);
    }

    private static void set(PGSimpleDataSource server, String name, String value) {
        try {
            server.setProperty(name, value);
        } catch (SQLException e) {
            throw new IllegalArgumentException(name + " can't be set as asked: " + e.getMessage(), e);
        }
    }

    /** Without the password. */
    @Override
    public String toString() {
        return where;
    }
}
