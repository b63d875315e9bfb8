package dev.idem.internal.call;

import dev.idem.Classifier;
import dev.idem.NotExecutedException;
import dev.idem.Policy;
import java.util.function.Predicate;

/** Decides whether an exception proves that nothing happened. */
final class Proof {
    /** Bounds the walk through causes, which may form a cycle. */
    private static final int DEEPEST = 100;

    private Proof() {}

    /** {@code inner} finds exceptions of inner operations, which prove nothing about the operation around them. */
    static boolean isGivenBy(Throwable thrown, Policy policy, Predicate<Throwable> inner) {
        if (inner.test(thrown)) {
            return false;
        }
        return thrown instanceof NotExecutedException || (!wraps(thrown, inner) && judgedDefinite(thrown, policy));
    }

    /** Whether a cause comes from an inner operation: a classifier that reads causes would take it for this one's. */
    private static boolean wraps(Throwable thrown, Predicate<Throwable> inner) {
        Throwable cause = thrown.getCause();
        for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
            if (inner.test(cause)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /** Asks the classifier. If it throws, the failure is not definite. */
    private static boolean judgedDefinite(Throwable thrown, Policy policy) {
        try {
            return policy.classifier().judge(thrown) == Classifier.Judgement.DEFINITE;
        } catch (RuntimeException | Error e) {
            if (e != thrown) {
                thrown.addSuppressed(e);
            }
            return false;
        }
    }
}
