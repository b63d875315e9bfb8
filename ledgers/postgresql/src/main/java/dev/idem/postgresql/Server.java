package dev.idem.postgresql;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A server and the settings of a ledger on it.
 *
 * @param where the server and database for messages, without secrets
 */
record Server(
        String where, PostgresqlSettings settings, PostgresqlErrors errors, Database database, Statements statements) {
    /** The server takes no longer one. */
    private static final Duration LONGEST_WAIT = Duration.ofMillis(Integer.MAX_VALUE);

    Server(String where, PostgresqlSettings settings, PostgresqlErrors errors, Database database) {
        this(where, settings, errors, database, new Statements(settings.schema()));
    }

    /** The same server, on which a step waits this long for a lock. */
    Server waiting(Duration wait) {
        Duration most = wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait;
        Duration possible = most.toMillis() < 1 ? Duration.ofMillis(1) : most;
        return new Server(where, settings.withLockTimeout(possible), errors, database, statements);
    }

    /** Whether the ledger is in the database with this identity. */
    boolean isIn(@Nullable String identity) {
        return identity != null && identity.equals(identity());
    }

    private @Nullable String identity() {
        return database.ask(statements.get("join"), parameters -> {}, row -> {
            row.next();
            return row.getString(1);
        });
    }

    /** How long to wait for a lock, as a value of {@code lock_timeout}. */
    String patience() {
        return Long.toString(settings.lockTimeout().toMillis());
    }

    String describe() {
        return where + " (schema " + settings.schema() + ", waiters "
                + (settings.notifies() ? "are woken by NOTIFY" : "poll") + ")";
    }
}
