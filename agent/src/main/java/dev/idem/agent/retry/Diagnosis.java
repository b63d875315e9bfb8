package dev.idem.agent.retry;

import dev.idem.Classifier.Judgement;

/**
 * The meaning of a failure.
 *
 * @param judgement whether anything happened
 * @param outlook whether another try may go better
 */
public record Diagnosis(Judgement judgement, Outlook outlook) {
    /** Nothing is known about it. */
    public static final Diagnosis NONE = new Diagnosis(Judgement.UNDECIDED, Outlook.UNKNOWN);

    /** Whether another try may go better. */
    public enum Outlook {
        /** It may: a busy or broken remote, a lost connection. */
        PASSING,
        /** It will not: the request itself is refused. */
        LASTING,
        /** This kind of failure is not known. It is not tried again. */
        UNKNOWN
    }

    static Diagnosis definite(Outlook outlook) {
        return new Diagnosis(Judgement.DEFINITE, outlook);
    }

    static Diagnosis ambiguous(Outlook outlook) {
        return new Diagnosis(Judgement.AMBIGUOUS, outlook);
    }

    boolean isKnown() {
        return judgement != Judgement.UNDECIDED || outlook != Outlook.UNKNOWN;
    }

    /** The same, but ambiguous. */
    Diagnosis doubted() {
        return judgement == Judgement.DEFINITE ? ambiguous(outlook) : this;
    }
}
