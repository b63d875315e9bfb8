package dev.idem.sql;

/**
 * The columns of an entry, in the order in which {@link EntryReader} reads them: all in one JSON array, and the body of
 * the result, which is no text, beside it. Drivers take their time for every single column of a row.
 *
 * <p>Instants are microseconds since 1970, durations microseconds, moments an instant with the boot they belong to and
 * its nanoseconds. What is small and often asked stands before what may be large, so that a scan does not read results.
 */
public final class EntryColumns {
    /** What a statement writes where it wants an entry. */
    public static final String PLACEHOLDER = "{entry}";

    private static final String ALL = String.join(
            ", ",
            "fence, origin, lines, began, ended, key, operation, scope, state, attempt, replays",
            "created, claimed, settled, expires",
            "identity, content, parent, labels",
            "attempt_id, owner, owner_host, owner_pid, owner_start",
            "lease_wall, lease_boot, lease_nanos, acted, limit_wall, limit_boot, limit_nanos, staged, marks",
            "doubt, doubt_since",
            "outcome, effect, kept, keep, tombstone, reason, failure_type, failure_message",
            "media_type, codec, encoding");

    private EntryColumns() {}

    /** The statement with its placeholder replaced by the two columns that {@link EntryReader} takes. */
    public static String expand(String sql) {
        return sql.replace(PLACEHOLDER, "json_array(" + ALL + "), body");
    }
}
