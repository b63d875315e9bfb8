package dev.idem.entry;

/** How an attempt ended. */
public sealed interface Settlement {
    /** The effect took place. */
    record Completed(Result result, Effect effect, Retention retention) implements Settlement {}

    /**
     * Nothing happened, whatever was thrown.
     *
     * @param kept whether later callers get this failure again instead of running; only then is there a tombstone
     */
    record Failed(Failure failure, boolean kept, Retention retention) implements Settlement {
        public Failed {
            retention = kept ? retention : Retention.of(retention.keep());
        }
    }

    /**
     * A probe has found that the doubted attempt has not taken effect and no longer can. Clears the doubt; there is no
     * tombstone of what did not happen.
     */
    record NotExecuted(String evidence, Retention retention) implements Settlement {
        public NotExecuted {
            retention = Retention.of(retention.keep());
        }
    }

    /** It may have happened. */
    record Doubtful(Failure failure) implements Settlement {}
}
