package dev.idem.torture.check;

/** A declaration of a call that decides what may happen to its key. */
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
    /** Its settled entries expire soon. */
    BRIEF,
    /** Its complete entries expire soon, and leave a tombstone that outlives the run. */
    TOMBSTONED
}
