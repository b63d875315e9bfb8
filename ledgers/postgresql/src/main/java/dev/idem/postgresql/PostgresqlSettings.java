package dev.idem.postgresql;

import java.time.Duration;
import java.util.regex.Pattern;

/**
 * The settings of a PostgreSQL ledger.
 *
 * @param schema of its tables and functions: lower-case letters, digits and underscores
 * @param notifies whether NOTIFY wakes waiters; otherwise they poll. Must be off behind a pooler that assigns a
 *     connection for each transaction
 * @param migrates whether to create or update the schema if needed; otherwise the ledger does not open, and the message
 *     names the missing SQL
 * @param lockTimeout how long a claim waits for another transaction that holds the entry, before the answer is "in
 *     flight"
 */
public record PostgresqlSettings(String schema, boolean notifies, boolean migrates, Duration lockTimeout) {
    private static final Pattern SCHEMA = Pattern.compile("[a-z_][a-z0-9_]{0,47}");

    /** Throws {@link IllegalArgumentException} if the schema is not a plain name. */
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
