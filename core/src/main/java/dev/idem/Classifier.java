package dev.idem;

/**
 * A rule that decides whether an exception proves that the action had no effect.
 *
 * <pre>{@code
 * Policy policy = Policy.write().classify(Classifier.definite(ConnectException.class));
 * }</pre>
 *
 * <p>{@link Policy#classify} takes it. Default: {@link NotExecutedException} is definite; other exceptions are
 * ambiguous unless a classifier says otherwise. Implementations must be thread-safe.
 */
@FunctionalInterface
public interface Classifier {
    /** The meaning of an exception. */
    enum Judgement {
        /** The action had no effect and will have none. */
        DEFINITE,
        /** The action may have had an effect. */
        AMBIGUOUS,
        /** This classifier can't tell. The next one is asked. */
        UNDECIDED
    }

    /** Judges an exception that the action threw. */
    Judgement judge(Throwable thrown);

    /** A classifier that asks this one first, and the other where this one can't tell. */
    default Classifier or(Classifier other) {
        return thrown -> {
            Judgement mine = judge(thrown);
            return mine == Judgement.UNDECIDED ? other.judge(thrown) : mine;
        };
    }

    /** A classifier for exceptions that prove that nothing happened. */
    @SafeVarargs
    static Classifier definite(Class<? extends Throwable>... kinds) {
        return thrown -> {
            for (Class<? extends Throwable> kind : kinds) {
                if (kind.isInstance(thrown)) {
                    return Judgement.DEFINITE;
                }
            }
            return Judgement.UNDECIDED;
        };
    }
}
