package dev.idem.agent.guard;

import dev.idem.Key;
import dev.idem.agent.guard.StoppedCall.Why;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Watches the calls of one session. Thread-safe. */
public final class LoopWatch {
    private final LoopGuard.Settings settings;
    private final Counters counters;
    private final ReentrantLock lock = new ReentrantLock();
    private final CallWindow tally;

    LoopWatch(LoopGuard.Settings settings, Counters counters) {
        this.settings = settings;
        this.counters = counters;
        this.tally = new CallWindow(settings.window);
    }

    /**
     * Asks whether a call may run.
     *
     * @throws dev.idem.JsonException if the arguments have no JSON form
     */
    public LoopVerdict ask(String tool, @Nullable Object arguments) {
        return askKeyed(tool, Key.derive("", tool, arguments).value());
    }

    /** Asks whether a call with this key may run. Calls with the same key are identical. */
    public LoopVerdict askKeyed(String tool, String key) {
        return ask(new CountedCall(tool, key, false));
    }

    /** The same for a call that changes nothing. It counts only until a call {@linkplain AllowedCall#changed changes} something. */
    public LoopVerdict askRead(String tool, String key) {
        return ask(new CountedCall(tool, key, true));
    }

    private LoopVerdict ask(CountedCall step) {
        lock.lock();
        try {
            Counters.Place place = counters.begin(step, tally);
            StoppedCall stopped = judge(step);
            if (stopped == null) {
                return new AllowedCall(this, place, step, settings.nanos.getAsLong());
            }
            tally.ended(step, Ending.STOPPED);
            counters.end(place, Ending.STOPPED);
            return stopped;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Runs a call if it may.
     *
     * @throws StoppedCallException if it may not run; its message is for the model
     */
    public <T extends @Nullable Object> T run(String tool, @Nullable Object arguments, Callable<? extends T> call)
            throws Exception {
        LoopVerdict verdict = ask(tool, arguments);
        if (verdict instanceof StoppedCall stopped) {
            throw new StoppedCallException(stopped);
        }
        AllowedCall passage = (AllowedCall) verdict;
        try {
            T value = call.call();
            passage.returned(value);
            return value;
        } catch (Exception | Error thrown) {
            passage.threw(thrown);
            throw thrown;
        }
    }

    /** The usage of the session. */
    public CallUsage used() {
        lock.lock();
        try {
            return tally.session();
        } finally {
            lock.unlock();
        }
    }

    /** The usage of one tool. */
    public CallUsage used(String tool) {
        lock.lock();
        try {
            return tally.tool(tool);
        } finally {
            lock.unlock();
        }
    }

    void ended(Counters.Place place, CountedCall step, Ending.How how, boolean changed, long began) {
        Ending ending = how == Ending.How.RESUMED
                ? Ending.RESUMED
                : new Ending(how, changed, Duration.ofNanos(settings.nanos.getAsLong() - began));
        lock.lock();
        try {
            if (step.ending() == null) {
                tally.ended(step, ending);
                counters.end(place, ending);
            }
        } finally {
            lock.unlock();
        }
    }

    private @Nullable StoppedCall judge(CountedCall step) {
        Limits ofTool = settings.tools.getOrDefault(step.tool, Limits.none());
        StoppedCall over = beyond(step, settings.session, tally.session(), true);
        if (over == null) {
            over = beyond(step, ofTool, tally.tool(step.tool), false);
        }
        if (over != null || settings.exempt.contains(step.tool)) {
            return over;
        }
        List<CountedCall> same = tally.same(step);
        return same.size() >= settings.threshold ? LoopWords.loop(step, same, settings.window) : null;
    }

    /** The limit that the usage has reached, this call included; null where there is none. */
    private static @Nullable StoppedCall beyond(CountedCall step, Limits limits, CallUsage used, boolean session) {
        if (limits.calls() != null && used.calls() > limits.calls()) {
            Why why = session ? Why.SESSION_CALLS : Why.TOOL_CALLS;
            return LoopWords.limit(step, why, used.calls() - 1, plural(limits.calls(), "call"));
        } else if (limits.failures() != null && used.failures() >= limits.failures()) {
            Why why = session ? Why.SESSION_FAILURES : Why.TOOL_FAILURES;
            return LoopWords.limit(step, why, used.failures(), plural(limits.failures(), "failure"));
        } else if (limits.time() != null && used.time().compareTo(limits.time()) >= 0) {
            Why why = session ? Why.SESSION_TIME : Why.TOOL_TIME;
            String limit = limits.time().toSeconds() + " s of running time";
            return LoopWords.limit(step, why, (int) used.time().toSeconds(), limit);
        }
        return null;
    }

    private static String plural(int number, String word) {
        return number + " " + word + (number == 1 ? "" : "s");
    }
}
