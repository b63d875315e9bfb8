package dev.idem.spi;

import org.jspecify.annotations.Nullable;

/** How an attempt ended. */
public sealed interface Settlement {
    /**
     * The effect took place.
     *
     * @param note a text for people, such as a person's name and reason; null where the attempt settled itself
     * @param resolution the decision, where a person resolved the entry; null where the attempt settled itself
     */
    record Completed(
            Result result,
            Effect effect,
            Retention retention,
            @Nullable String note,
            @Nullable ResolvedBy resolution) implements Settlement {
        /** A completion without a note. */
        public Completed(Result result, Effect effect, Retention retention) {
            this(result, effect, retention, null, null);
        }

        /** A completion that a person has decided. */
        public Completed(Result result, Effect effect, Retention retention, ResolvedBy resolution) {
            this(result, effect, retention, resolution.told(), resolution);
        }

        /** The same completion with another form of its result. */
        public Completed withResult(Result other) {
            return new Completed(other, effect, retention, note, resolution);
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
     * A probe or a person has found that the doubted attempt did not take effect and no longer can. It clears the
     * doubt. No tombstone follows, since nothing happened.
     *
     * @param resolution the decision, where a person found it; null where a probe did
     */
    record NotExecuted(
            String evidence, Retention retention, @Nullable ResolvedBy resolution) implements Settlement {
        public NotExecuted {
            retention = Retention.of(retention.keep());
        }

        /** What a probe has found. */
        public NotExecuted(String evidence, Retention retention) {
            this(evidence, retention, null);
        }

        /** What a person has decided. */
        public NotExecuted(ResolvedBy resolution, Retention retention) {
            this(resolution.told(), retention, resolution);
        }
    }

    /** The decision of the person who resolved the entry; null where none did. */
    default @Nullable ResolvedBy resolution() {
        return null;
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
