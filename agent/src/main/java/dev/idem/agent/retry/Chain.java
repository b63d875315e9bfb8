package dev.idem.agent.retry;

import dev.idem.Classifier.Judgement;
import dev.idem.IdemException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A failure with its causes, outermost first. */
final class Chain {
    private static final int LONGEST = 16;

    private Chain() {}

    /**
     * The first diagnosis that one of them gives. If something along the way was suppressed that may have had an effect,
     * as clients do with the earlier of their own tries, then nothing is definite any more.
     */
    static Diagnosis diagnose(Throwable thrown, Function<Throwable, Diagnosis> rule) {
        Diagnosis found = Diagnosis.NONE;
        boolean doubted = false;
        for (Throwable one : of(thrown)) {
            if (!found.isKnown()) {
                found = rule.apply(one);
            }
            for (Throwable suppressed : one.getSuppressed()) {
                doubted |= !(suppressed instanceof RetryStopped)
                        && rule.apply(suppressed).judgement() == Judgement.AMBIGUOUS;
            }
        }
        return doubted ? found.doubted() : found;
    }

    /**
     * The failure and its causes. What Idem throws by itself ends it: behind "the effect happened but could not be
     * recorded" there may well be a refused connection, to the ledger.
     */
    static List<Throwable> of(Throwable thrown) {
        List<Throwable> chain = new ArrayList<>();
        Throwable one = thrown;
        while (one != null && chain.size() < LONGEST && !(one instanceof IdemException)) {
            chain.add(one);
            one = one.getCause();
        }
        return chain;
    }
}
