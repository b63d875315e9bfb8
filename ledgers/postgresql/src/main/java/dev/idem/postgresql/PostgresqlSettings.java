package dev.idem.postgresql;

import java.time.Duration;
import java.util.regex.Pattern;

/**
 * How a PostgreSQL ledger is set.
 *
 * @param schema where its tables and functions are: lower-case letters, digits and underscores
 * @param notifies whether waiters are woken by NOTIFY; without it they poll. Must be off behind a pooler that gives out
 *     sessions by the transaction
 * @param migrates whether to make the schema, or bring it up to date, where that is needed; without it the ledger does
 *     not open, and says which SQL is missing
 * @param lockTimeout how long a claim waits for another transaction that holds the entry, before it is in flight
 */
public record PostgresqlSettings(String schema, boolean notifies, boolean migrates, Duration lockTimeout) {
    private static final Pattern SCHEMA = Pattern.compile("[a-z_][a-z0-9_]{0,47}");

    /** Checks its parts; throws {@link IllegalArgumentException} when the schema is no plain name */
    public PostgresqlSettings {
        if (!SCHEMA.matcher(schema).matches() || schema.startsWith("pg_")) {
            throw new IllegalArgumentException("schema '" + schema
                    + "' is no plain name; use up to 48 lower-case letters, digits and underscores, not pg_…");
        }
        if (lockTimeout.toMillis() < 1) {
            throw new IllegalArgumentException("a lock is waited for 1 ms at least, not " + lockTimeout);
        }
    }

    /** Schema {@code idem}, woken by NOTIFY, migrates by itself, waits 2 s for locks. */
    public static PostgresqlSettings defaults() {
        return new PostgresqlSettings("idem", true, true, Duration.ofSeconds(2));
    }

    public PostgresqlSettings withSchema(String name) {
        return new PostgresqlSettings(name, notifies, migrates, lockTimeout);
    }

    public PostgresqlSettings withNotify(boolean on) {
        return new PostgresqlSettings(schema, on, migrates, lockTimeout);
    }

    public PostgresqlSettings withMigrate(boolean on) {
        return new PostgresqlSettings(schema, notifies, on, lockTimeout);
    }

    public PostgresqlSettings withLockTimeout(Duration duration) {
        return new PostgresqlSettings(schema, notifies, migrates, duration);
    }
}
