package dev.idem.spi;

import org.jspecify.annotations.Nullable;

/** How an attempt ended. */
public sealed interface Settlement {
    /**
     * The effect took place.
     *
     * @param note the person and the reason, where a person resolved the entry; null where the attempt settled itself
     */
    record Completed(
            Result result,
            Effect effect,
            Retention retention,
            @Nullable String note) implements Settlement {
        /** A completion without a note. */
        public Completed(Result result, Effect effect, Retention retention) {
            this(result, effect, retention, null);
        }

        /** The same completion with another form of its result. */
        public Completed withResult(Result other) {
            return new Completed(other, effect, retention, note);
        }
    }

    /**
     * The attempt failed without an effect.
     *
     * @param kept whether later callers get this failure again instead of running; only then is there a tombstone
     */
    record Failed(Failure failure, boolean kept, Retention retention) implements Settlement {
        public Failed {
            retention = kept ? retention : Retention.of(retention.keep());
        }
    }

    /**
     * A probe has found that the doubted attempt did not take effect and no longer can. It clears the doubt. No
     * tombstone follows, since nothing happened.
     */
    record NotExecuted(String evidence, Retention retention) implements Settlement {
        public NotExecuted {
            retention = Retention.of(retention.keep());
        }
    }

    /** The text of a resolution's note: {@code resolved by ann: seen in the bank statement}. */
    static String told(@Nullable String who, @Nullable String why) {
        return "resolved by " + (who == null ? "hand" : who) + (why == null ? "" : ": " + why);
    }

    /** Why a resolved entry has no result: {@code ann resolved it without a result: lost}. */
    static String toldWithoutResult(@Nullable String who, @Nullable String why) {
        return (who == null ? "a person" : who) + " resolved it without a result" + (why == null ? "" : ": " + why);
    }

    /**
     * The effect may have taken place.
     *
     * @param ended whether the attempt was seen to end and declares a grace for the remote: then it can't act
     *     after now. Not stored: the entry's limit holds it.
     */
    record Doubtful(Failure failure, boolean ended) implements Settlement {
        /** A doubt that says nothing about the end of the attempt. */
        public Doubtful(Failure failure) {
            this(failure, false);
        }
    }
}
