package dev.idem.agent.retry;

import dev.idem.Call;
import dev.idem.Classifier.Judgement;
import dev.idem.NotExecutedException;
import dev.idem.agent.retry.Diagnosis.Outlook;
import dev.idem.agent.retry.RetryStopped.Why;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The tries of one call. */
final class Tries<T extends @Nullable Object> {
    private final Retry.Settings settings;
    private final Permit permit;
    private final @Nullable Call call;
    private final long deadline;
    private final List<Throwable> earlier = new ArrayList<>();
    private @Nullable Exception doubted;
    private int attempts;

    Tries(Retry.Settings settings, Permit permit, @Nullable Call call) {
        this.settings = settings;
        this.permit = permit;
        this.call = call;
        this.deadline = settings.timing.nanos() + settings.totalLimit.toNanos();
    }

    T run(Callable<? extends T> work) throws Exception {
        while (true) {
            attempts++;
            try {
                T value = once(work);
                succeeded();
                return value;
            } catch (Exception thrown) {
                goOnAfter(thrown);
            } catch (Error thrown) {
                attach(thrown);
                throw thrown;
            }
        }
    }

    private T once(Callable<? extends T> work) throws Exception {
        Duration limit = limit();
        if (limit == null) {
            return work.call();
        }
        TimeLimit watch = new TimeLimit(settings.timing, limit);
        T value;
        try {
            value = work.call();
        } catch (Exception thrown) {
            throw watch.end() ? new AttemptTimeoutException(limit, thrown) : thrown;
        } catch (Error thrown) {
            watch.end();
            throw thrown;
        }
        watch.end();
        return value;
    }

    /** The limit of one try: its own, or the rest of the total limit. */
    private @Nullable Duration limit() {
        Duration own = settings.attemptLimit;
        if (own == null) {
            return null;
        }
        Duration left = Duration.ofNanos(Math.max(1, deadline - settings.timing.nanos()));
        return left.compareTo(own) < 0 ? left : own;
    }

    private void succeeded() {
        RetryBudget budget = settings.budget;
        if (budget != null) {
            budget.earn();
        }
        if (attempts > 1) {
            tell(listener -> listener.recovered(attempts));
        }
    }

    /** Waits for the next try, or throws the final failure. */
    private void goOnAfter(Exception thrown) throws Exception {
        Diagnosis diagnosis = settings.failures.diagnose(thrown);
        boolean definite = call == null
                ? diagnosis.judgement() == Judgement.DEFINITE || thrown instanceof NotExecutedException
                : call.nothingHappened(thrown);
        Why why = refusal(diagnosis, definite);
        Duration delay = delay(thrown);
        if (why == null && settings.timing.nanos() + delay.toNanos() - deadline >= 0) {
            why = Why.TOTAL_LIMIT;
        }
        RetryBudget budget = settings.budget;
        if (why == null && budget != null && !budget.take()) {
            why = Why.BUDGET;
        }
        if (why == null) {
            why = pause(thrown, delay);
        }
        if (why != null) {
            // Without a call, only the thrown exception can show that an earlier try may have had an effect.
            Exception worst = definite && call == null && doubted != null ? doubted : thrown;
            if (worst != thrown) {
                earlier.remove(worst);
                earlier.add(thrown);
            }
            throw stopped(worst, why);
        }
        if (!definite) {
            doubted = thrown;
            if (call != null) {
                call.ambiguous(thrown);
            }
        }
        earlier.add(thrown);
    }

    private @Nullable Why refusal(Diagnosis diagnosis, boolean definite) {
        if (permit == Permit.NEVER) {
            return Why.SIDE_EFFECT;
        } else if (diagnosis.outlook() != Outlook.PASSING) {
            return Why.NOT_PASSING;
        } else if (permit == Permit.IF_NOTHING_HAPPENED && !definite) {
            return Why.MAY_HAVE_HAPPENED;
        }
        return attempts >= settings.maxAttempts ? Why.ATTEMPTS : null;
    }

    /** The longer one of our own delay and the delay that the remote asks for. */
    private Duration delay(Throwable thrown) {
        Duration own = settings.backoff().after(attempts);
        Duration asked = settings.retryAfter.of(thrown, settings.timing.now()).orElse(Duration.ZERO);
        return asked.compareTo(own) > 0 ? asked : own;
    }

    private @Nullable Why pause(Throwable thrown, Duration delay) {
        tell(listener -> listener.retrying(attempts, thrown, delay));
        try {
            settings.timing.sleep(delay);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Why.INTERRUPTED;
        }
        return call != null && !call.stillOwner() ? Why.NOT_OWNER : null;
    }

    private Exception stopped(Exception thrown, Why why) {
        RetryStopped stopped = new RetryStopped(why, attempts);
        thrown.addSuppressed(stopped);
        attach(thrown);
        tell(listener -> listener.stopped(thrown, stopped));
        return thrown;
    }

    private void attach(Throwable last) {
        for (Throwable one : earlier) {
            if (one != last) {
                last.addSuppressed(one);
            }
        }
    }

    private void tell(Consumer<RetryListener> event) {
        for (RetryListener listener : settings.listeners) {
            try {
                event.accept(listener);
            } catch (RuntimeException e) {
                System.getLogger("dev.idem.agent").log(Level.WARNING, "a listener of retries threw", e);
            }
        }
    }
}
