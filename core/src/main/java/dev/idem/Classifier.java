package dev.idem;

/** Judges what an exception of an action says about its effect. */
@FunctionalInterface
public interface Classifier {
    /** What an exception says. */
    enum Judgement {
        /** Nothing happened, and nothing will. */
        DEFINITE,
        /** It may have happened. */
        AMBIGUOUS,
        /** This classifier can't tell; another may. */
        UNDECIDED
    }

    Judgement judge(Throwable thrown);

    /** Asks this one first, and the other where this one can't tell. */
    default Classifier or(Classifier other) {
        return thrown -> {
            Judgement mine = judge(thrown);
            return mine == Judgement.UNDECIDED ? other.judge(thrown) : mine;
        };
    }

    /** Knows exceptions of these kinds to mean that nothing happened. */
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
