package dev.idem;

import org.jspecify.annotations.Nullable;

/**
 * A check of the outside world: did an attempt in doubt take effect?
 *
 * <pre>{@code
 * Probe<String> probe = doubted -> {
 *     Optional<String> receipt = payments.findByKey(doubted.address().key());
 *     return receipt.isPresent() ? Probe.Verdict.happened(receipt.get()) : Probe.Verdict.notExecuted();
 * };
 * idem.operation("charge").key("order-7").returning(String.class).probe(probe).run(action);
 * }</pre>
 *
 * <p>The probe of a key runs in one thread of one process at a time, and only after the attempt in doubt can no longer
 * act; see {@link Policy#probeGrace()}. Calls with different keys may use one probe at once, so it must be thread-safe.
 *
 * @param <T> the type of the operation's result
 */
@FunctionalInterface
public interface Probe<T extends @Nullable Object> {
    /**
     * Finds out whether the attempt took effect.
     *
     * @throws Exception any exception counts as {@link Verdict#unknown()}
     */
    Verdict<T> ask(Entry doubted) throws Exception;

    /** The answer of a probe. */
    sealed interface Verdict<T extends @Nullable Object> {
        /** The attempt took effect, and this is its result. */
        static <T extends @Nullable Object> Verdict<T> happened(T result) {
            return new Happened<>(result);
        }

        /** The attempt did not take effect and no longer can. The operation may run again. */
        static <T extends @Nullable Object> Verdict<T> notExecuted() {
            return new NotExecuted<>();
        }

        /** The probe can't tell. The entry stays in doubt. */
        static <T extends @Nullable Object> Verdict<T> unknown() {
            return new Unknown<>();
        }
    }

    /** The attempt took effect. */
    record Happened<T extends @Nullable Object>(T result) implements Verdict<T> {}

    /** The attempt did not take effect and no longer can. */
    record NotExecuted<T extends @Nullable Object>() implements Verdict<T> {}

    /** The probe can't tell. */
    record Unknown<T extends @Nullable Object>() implements Verdict<T> {}
}
