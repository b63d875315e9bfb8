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
     * The first diagnosis in the chain. It is not definite if a suppressed exception may have had an effect: clients attach
     * their own earlier tries like this.
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
     * The failure and its causes, up to an exception of Idem. The cause of "the effect happened but could not be recorded"
     * may be a refused connection to the ledger, which says nothing about the effect.
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
