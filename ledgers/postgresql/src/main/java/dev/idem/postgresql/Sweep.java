package dev.idem.postgresql;

import dev.idem.error.LedgerUnavailableException;

/**
 * Keeps what is in progress easy to find: no index knows the state of an entry, since one that does would be written
 * twice for each call. Everything up to a fence has been looked at, and what was still in progress is notable.
 */
final class Sweep {
    private static final int MOST_AT_ONCE = 100;

    private final Database database;
    private final Statements statements;
    private final boolean readOnly;

    /** Made with whether the ledger is only looked at: then nothing is swept. */
    Sweep(Database database, Statements statements, boolean readOnly) {
        this.database = database;
        this.statements = statements;
        this.readOnly = readOnly;
    }

    /** The fence up to which everything has been looked at. */
    long upTo() {
        return database.ask(statements.get("swept"), parameters -> {}, row -> row.next() ? row.getLong(1) : 0L);
    }

    /** Goes on for as long as there is something to be looked at, once in a minute. What can't be done now can wait. */
    void go() {
        if (readOnly) {
            return;
        }
        try {
            for (int i = 0; i < MOST_AT_ONCE && more(); i++) {
                // There is more of it.
            }
        } catch (LedgerUnavailableException e) {
            // Somebody else was at it.
        }
    }

    private boolean more() {
        return database.ask(statements.get("sweep"), parameters -> {}, row -> row.next() && row.getBoolean(1));
    }
}
