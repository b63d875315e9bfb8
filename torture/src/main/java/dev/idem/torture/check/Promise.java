package dev.idem.torture.check;

/** What a call declares about itself, as far as it bears on what may happen to its key. */
public enum Promise {
    /** Running it again does no harm: {@code rerun()} or IDEMPOTENT. */
    SAFE,
    /** It asks the world before it runs again. */
    PROBE,
    /** It leaves a mark before it acts. */
    STAGED,
    /** Its failure answers duplicates. */
    KEPT,
    /** Its effect is a row in the ledger's own database, in one transaction with the entry. */
    TRANSACTED,
    /** What it has settled expires soon. */
    BRIEF,
    /** What it has completed expires soon, and leaves a tombstone that outlives the run. */
    TOMBSTONED
}
