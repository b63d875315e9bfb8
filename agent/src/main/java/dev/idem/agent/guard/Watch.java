package dev.idem.agent.guard;

import dev.idem.agent.guard.Stopped.Why;
import dev.idem.internal.key.Key;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Watches the calls of one session. One instance serves all threads of the session. */
public final class Watch {
    private final Guard.Settings settings;
    private final Counters counters;
    private final ReentrantLock lock = new ReentrantLock();
    private final Tally tally;

    Watch(Guard.Settings settings, Counters counters) {
        this.settings = settings;
        this.counters = counters;
        this.tally = new Tally(settings.window);
    }

    /**
     * Asks whether a call may run.
     *
     * @throws dev.idem.JsonException if the arguments have no JSON form
     */
    public Verdict ask(String tool, @Nullable Object arguments) {
        return askKeyed(tool, Key.derive("", tool, arguments).value());
    }

    /** Asks whether a call may run that is the same as others with this key. */
    public Verdict askKeyed(String tool, String key) {
        Step step = new Step(tool, key);
        lock.lock();
        try {
            Counters.Place place = counters.begin(step, tally);
            Stopped stopped = judge(step);
            if (stopped == null) {
                return new Passage(this, place, step, settings.nanos.getAsLong());
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
     * @throws StoppedException when it may not; its message is for the model
     */
    public <T extends @Nullable Object> T run(String tool, @Nullable Object arguments, Callable<? extends T> call)
            throws Exception {
        Verdict verdict = ask(tool, arguments);
        if (verdict instanceof Stopped stopped) {
            throw new StoppedException(stopped);
        }
        Passage passage = (Passage) verdict;
        try {
            T value = call.call();
            passage.returned(value);
            return value;
        } catch (Exception | Error thrown) {
            passage.threw(thrown);
            throw thrown;
        }
    }

    /** What the session has used. */
    public Usage used() {
        lock.lock();
        try {
            return tally.session();
        } finally {
            lock.unlock();
        }
    }

    /** What a tool has used. */
    public Usage used(String tool) {
        lock.lock();
        try {
            return tally.tool(tool);
        } finally {
            lock.unlock();
        }
    }

    void ended(Counters.Place place, Step step, Ending.How how, long began) {
        Ending ending = how == Ending.How.RESUMED
                ? Ending.RESUMED
                : new Ending(how, Duration.ofNanos(settings.nanos.getAsLong() - began));
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

    private @Nullable Stopped judge(Step step) {
        Limits ofTool = settings.tools.getOrDefault(step.tool, Limits.none());
        Stopped over = beyond(step, settings.session, tally.session(), true);
        if (over == null) {
            over = beyond(step, ofTool, tally.tool(step.tool), false);
        }
        if (over != null || settings.exempt.contains(step.tool)) {
            return over;
        }
        List<Step> same = tally.same(step);
        return same.size() >= settings.threshold ? Words.loop(step, same, settings.window) : null;
    }

    /** Which limit the use, this call included, has reached. */
    private static @Nullable Stopped beyond(Step step, Limits limits, Usage used, boolean session) {
        if (limits.calls() != null && used.calls() > limits.calls()) {
            Why why = session ? Why.SESSION_CALLS : Why.TOOL_CALLS;
            return Words.limit(step, why, used.calls() - 1, plural(limits.calls(), "call"));
        } else if (limits.failures() != null && used.failures() >= limits.failures()) {
            Why why = session ? Why.SESSION_FAILURES : Why.TOOL_FAILURES;
            return Words.limit(step, why, used.failures(), plural(limits.failures(), "failure"));
        } else if (limits.time() != null && used.time().compareTo(limits.time()) >= 0) {
            Why why = session ? Why.SESSION_TIME : Why.TOOL_TIME;
            String limit = limits.time().toSeconds() + " s of running time";
            return Words.limit(step, why, (int) used.time().toSeconds(), limit);
        }
        return null;
    }

    private static String plural(int number, String word) {
        return number + " " + word + (number == 1 ? "" : "s");
    }
}
