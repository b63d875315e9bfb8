package dev.idem;

/** The options of a {@link Policy}, by their names in text. */
enum PolicyOption {
    SIDE_EFFECT,
    LEASE,
    TIME_LIMIT,
    WAIT,
    RETENTION,
    TOMBSTONE,
    ON_DOUBT,
    PROBE_GRACE,
    PASSES_KEY_TO,
    DEFINITE_ON,
    KEEP_FAILURES,
    STAGED,
    REWORDED,
    REPEAT,
    INTERRUPT,
    RETRY,
    APPROVAL,
    TRANSACTION;

    /** The value that counts where two policies set this option, one above the other. */
    Object merged(Object below, Object above) {
        return switch (this) {
            case SIDE_EFFECT -> ((SideEffect) above).and((SideEffect) below);
            case ON_DOUBT -> ((OnDoubt) above).compareTo((OnDoubt) below) <= 0 ? above : below;
            case DEFINITE_ON -> ((Classifier) above).or((Classifier) below);
            default -> above;
        };
    }
}
