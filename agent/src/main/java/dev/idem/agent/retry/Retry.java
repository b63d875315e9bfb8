package dev.idem.agent.retry;

import dev.idem.Action;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How failed calls are tried again. Immutable: every method gives a new one, and one may serve all tools and threads.
 *
 * <pre>{@code
 * Retry retry = Retry.standard().maxAttempts(4);
 * idem.operation("refund").key(order).passesKeyTo(STRIPE).classify(Failures.stripe())
 *         .run(retry.around(Permit.of(SideEffect.WRITE, STRIPE), call -> payments.refund(order, call.key())));
 * }</pre>
 */
public final class Retry {
    private static final Duration LONGEST = Duration.ofDays(1);

    private final Settings settings;

    private Retry(Settings settings) {
        this.settings = settings;
    }

    /**
     * Three tries, a delay of up to 1 s and then 2 s (full jitter, at most 30 s), two minutes for all of them, any
     * failure that is {@link Failures#known() known} to pass.
     */
    public static Retry standard() {
        return new Retry(new Settings());
    }

    /** Does not try again. */
    public static Retry none() {
        return standard().maxAttempts(1);
    }

    /** The most tries there may be, the first included; 3 unless told. */
    public Retry maxAttempts(int attempts) {
        if (attempts < 1) {
            throw new IllegalArgumentException("there is at least one try, not " + attempts);
        }
        return with(copy -> copy.maxAttempts = attempts);
    }

    /** The delay after the first failure, which doubles with each further one; 1 s unless told. */
    public Retry baseDelay(Duration delay) {
        return with(copy -> copy.base = within("base delay", delay));
    }

    /** The longest delay, unless the remote asks for a longer one; 30 s unless told. */
    public Retry cap(Duration delay) {
        return with(copy -> copy.cap = within("cap", delay));
    }

    /** How much of the delay is left to chance; {@link Jitter#FULL} unless told. */
    public Retry jitter(Jitter jitter) {
        return with(copy -> copy.jitter = jitter);
    }

    /**
     * How long one try may take; as long as it likes unless told. Its thread is interrupted then, and what it throws is
     * wrapped in an {@link AttemptTimeoutException}. A try that returns all the same has succeeded.
     */
    public Retry attemptLimit(Duration limit) {
        return with(copy -> copy.attemptLimit = within("limit of a try", limit));
    }

    /**
     * How long all tries and the delays between them may take; 2 min unless told. No try begins after it. One that runs
     * is interrupted only where there is an {@link #attemptLimit}, which then ends with this one.
     */
    public Retry totalLimit(Duration limit) {
        return with(copy -> copy.totalLimit = within("limit of all tries", limit));
    }

    /** A number of retries that all who share it may use up. */
    public Retry budget(RetryBudget budget) {
        return with(copy -> copy.budget = budget);
    }

    /** Tells which failures may pass and which are definite; {@link Failures#known()} unless told. */
    public Retry failures(Failures failures) {
        return with(copy -> copy.failures = failures);
    }

    /** Finds the time a remote asks for; the {@link RetryAfter#headers() headers} are read unless told. */
    public Retry retryAfter(RetryAfter retryAfter) {
        return with(copy -> copy.retryAfter = retryAfter);
    }

    /** Watches. */
    public Retry listener(RetryListener listener) {
        return with(copy -> {
            List<RetryListener> all = new ArrayList<>(copy.listeners);
            all.add(listener);
            copy.listeners = List.copyOf(all);
        });
    }

    /** Where the time comes from. */
    public Retry timing(Timing timing) {
        return with(copy -> copy.timing = timing);
    }

    /** Where the chance comes from: numbers from 0 to below 1. */
    public Retry random(DoubleSupplier random) {
        return with(copy -> copy.random = random);
    }

    /** What this tells failures by; also good for {@code Operation.classify}. */
    public Failures failures() {
        return settings.failures;
    }

    /**
     * Calls it until it goes well, or may not be tried again; then its last failure is thrown, with the earlier ones and
     * a {@link RetryStopped} attached. If the last failure is definite and an earlier try may have had an effect, that
     * try's failure is thrown instead.
     */
    public <T extends @Nullable Object> T call(Permit permit, Callable<? extends T> work) throws Exception {
        return new Tries<T>(settings, permit, null).run(work);
    }

    /**
     * The action, tried again inside one guarded call: one ticket, one key for all tries. What the call's operation
     * holds to be definite decides; a try that may have had an effect is remembered, so that a later failure is in doubt
     * even if it is definite. Nothing is tried after the ticket was lost.
     */
    @SuppressWarnings("unchecked") // what is not unchecked was thrown by the action, which throws X
    public <T extends @Nullable Object, X extends Exception> Action<T, X> around(
            Permit permit, Action<? extends T, X> action) {
        return call -> {
            try {
                return new Tries<T>(settings, permit, call).run(() -> action.run(call));
            } catch (Exception thrown) {
                throw (X) thrown;
            }
        };
    }

    private Retry with(Consumer<Settings> change) {
        Settings copy = settings.copy();
        change.accept(copy);
        return new Retry(copy);
    }

    private static Duration within(String what, Duration duration) {
        if (duration.isNegative() || duration.isZero() || duration.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("the " + what + " is positive and at most a day, not " + duration);
        }
        return duration;
    }

    /** Written only while a copy is being made. */
    static final class Settings implements Cloneable {
        int maxAttempts = 3;
        Duration base = Duration.ofSeconds(1);
        Duration cap = Duration.ofSeconds(30);
        Jitter jitter = Jitter.FULL;

        @Nullable
        Duration attemptLimit;

        Duration totalLimit = Duration.ofMinutes(2);

        @Nullable
        RetryBudget budget;

        Failures failures = Failures.known();
        RetryAfter retryAfter = RetryAfter.headers();
        List<RetryListener> listeners = List.of();
        Timing timing = Timing.system();
        DoubleSupplier random = () -> ThreadLocalRandom.current().nextDouble();

        Settings copy() {
            try {
                return (Settings) clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }

        Backoff backoff() {
            return new Backoff(base, cap, jitter, random);
        }
    }
}
