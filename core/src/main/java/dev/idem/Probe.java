package dev.idem;

import org.jspecify.annotations.Nullable;

/**
 * Asks the outside world whether a doubted attempt took effect. It runs under the ticket, so only one runs at a time,
 * and only when the doubted attempt can no longer act.
 */
@FunctionalInterface
public interface Probe<T extends @Nullable Object> {
    /** What the outside world says. Throwing counts as {@link Verdict#unknown()}. */
    Verdict<T> ask(Entry doubted) throws Exception;

    /** The answer of a probe. */
    sealed interface Verdict<T extends @Nullable Object> {
        /** It took effect, and this is its result. */
        static <T extends @Nullable Object> Verdict<T> happened(T result) {
            return new Happened<>(result);
        }

        /** It has not taken effect, and no longer can. */
        static <T extends @Nullable Object> Verdict<T> notExecuted() {
            return new NotExecuted<>();
        }

        /** Nobody can tell: everything stays as it was. */
        static <T extends @Nullable Object> Verdict<T> unknown() {
            return new Unknown<>();
        }
    }

    /** It took effect. */
    record Happened<T extends @Nullable Object>(T result) implements Verdict<T> {}

    /** It has not, and no longer can. */
    record NotExecuted<T extends @Nullable Object>() implements Verdict<T> {}

    /** Nobody can tell. */
    record Unknown<T extends @Nullable Object>() implements Verdict<T> {}
}
