package dev.idem.postgresql;

/**
 * A server and the settings of a ledger on it.
 *
 * @param where the server and database for messages, without secrets
 */
record Server(
        String where, PostgresqlSettings settings, PostgresqlErrors errors, Database database, Statements statements) {
    Server(String where, PostgresqlSettings settings, PostgresqlErrors errors, Database database) {
        this(where, settings, errors, database, new Statements(settings.schema()));
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
