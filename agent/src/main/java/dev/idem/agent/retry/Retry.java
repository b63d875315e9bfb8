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
 * Tries failed calls again. Immutable and thread-safe: every method returns a new value, and one may serve all tools.
 *
 * <pre>{@code
 * Retry retry = Retry.standard().maxAttempts(4);
 * idem.operation("refund").key(order).policy(Policy.write().passesKeyTo(STRIPE).classify(Failures.stripe()))
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
     * Three tries, with a delay of up to 1 s and then 2 s (full jitter, at most 30 s), and two minutes for all of them. A
     * failure is tried again if it is {@link Failures#known() known} to pass.
     */
    public static Retry standard() {
        return new Retry(new Settings());
    }

    /** One try only. */
    public static Retry none() {
        return standard().maxAttempts(1);
    }

    /**
     * Sets the maximal number of tries, the first included; 3 by default. In a session, {@code Policy.retry} wins.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public Retry maxAttempts(int attempts) {
        if (attempts < 1) {
            throw new IllegalArgumentException("there is at least one try, not " + attempts);
        }
        return with(copy -> copy.maxAttempts = attempts);
    }

    /** Sets the delay after the first failure, which doubles with each further one; 1 s by default. */
    public Retry baseDelay(Duration delay) {
        return with(copy -> copy.base = within("base delay", delay));
    }

    /** Sets the longest delay; 30 s by default. A remote may ask for a longer one. */
    public Retry cap(Duration delay) {
        return with(copy -> copy.cap = within("cap", delay));
    }

    /** Sets the random part of the delay; {@link Jitter#FULL} by default. */
    public Retry jitter(Jitter jitter) {
        return with(copy -> copy.jitter = jitter);
    }

    /**
     * Sets how long one try may take; there is no limit by default. After it the thread is interrupted, and the exception
     * of the try is wrapped in an {@link AttemptTimeoutException}. A try that returns nevertheless has succeeded.
     */
    public Retry attemptLimit(Duration limit) {
        return with(copy -> copy.attemptLimit = within("limit of a try", limit));
    }

    /**
     * Sets how long all tries and delays may take; 2 min by default. No try starts after it. A running try is interrupted
     * only if there is an {@link #attemptLimit}, which then ends with this limit.
     */
    public Retry totalLimit(Duration limit) {
        return with(copy -> copy.totalLimit = within("limit of all tries", limit));
    }

    /** Sets a budget of retries that several callers share; none by default. */
    public Retry budget(RetryBudget budget) {
        return with(copy -> copy.budget = budget);
    }

    /** Sets the classification of failures; {@link Failures#known()} by default. */
    public Retry failures(Failures failures) {
        return with(copy -> copy.failures = failures);
    }

    /** Sets how to find the delay that a remote asks for; from the {@link RetryAfter#headers() headers} by default. */
    public Retry retryAfter(RetryAfter retryAfter) {
        return with(copy -> copy.retryAfter = retryAfter);
    }

    /** Adds a listener. */
    public Retry listener(RetryListener listener) {
        return with(copy -> {
            List<RetryListener> all = new ArrayList<>(copy.listeners);
            all.add(listener);
            copy.listeners = List.copyOf(all);
        });
    }

    /** Sets the clock; for tests. */
    public Retry timing(Timing timing) {
        return with(copy -> copy.timing = timing);
    }

    /** Sets the source of random numbers from 0 to below 1; for tests. */
    public Retry random(DoubleSupplier random) {
        return with(copy -> copy.random = random);
    }

    /** The classification of failures, also for {@code Policy.classify}. */
    public Failures failures() {
        return settings.failures;
    }

    /**
     * Calls the work until it succeeds or may not be tried again. Then the last failure is thrown, with the earlier ones
     * and a {@link RetryStopped} attached. If the last failure is definite and an earlier one is ambiguous, the earlier
     * one is thrown.
     */
    public <T extends @Nullable Object> T call(Permit permit, Callable<? extends T> work) throws Exception {
        return new Tries<T>(settings, permit, null).run(work);
    }

    /**
     * Wraps an action, so that it is tried again inside one call: all tries have one ticket and one key. The policy of the
     * operation decides which failures are definite. After an ambiguous try a later failure is in doubt even if it is
     * definite. There is no further try once the ticket is lost.
     */
    @SuppressWarnings("unchecked") // a checked exception can only be the action's, which throws X
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

    /** Written only while a copy is made. */
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
