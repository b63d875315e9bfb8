package dev.idem.agent.session;

import dev.idem.Action;
import dev.idem.Idem;
import dev.idem.IdemException;
import dev.idem.SideEffect;
import dev.idem.agent.approval.Approvals;
import dev.idem.agent.guard.Guard;
import dev.idem.agent.guard.Passage;
import dev.idem.agent.guard.Stopped;
import dev.idem.agent.guard.Verdict;
import dev.idem.agent.guard.Watch;
import dev.idem.agent.retry.Permit;
import dev.idem.agent.retry.Retry;
import dev.idem.agent.tool.DoubtfulResultException;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAction;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.agent.tool.ToolAnswer.Refused;
import dev.idem.agent.tool.ToolAnswer.Status;
import dev.idem.agent.tool.Vetted;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The way of a vetted call: loop guard, approval, cache, claim or replay, and retry around the action. */
final class Way {

    private final Idem idem;
    private final Approvals approvals;
    private final @Nullable Watch watch;
    private final @Nullable Retry retry;
    private final @Nullable Shadow shadow;
    private final Reads reads;

    Way(SessionBuilder settings) {
        Guard guard = settings.guard();
        this.idem = settings.idem();
        this.approvals = settings.approvals();
        this.watch = guard == null ? null : guard.watch(settings.scope());
        this.retry = settings.retry();
        this.shadow = settings.shadow();
        this.reads = settings.reads();
    }

    boolean shadows() {
        return shadow != null;
    }

    ToolAnswer go(Prepared call, ToolAction<Vetted> action, Tally.Count count) {
        if (watch == null) {
            return allowed(call, action, count);
        }
        Verdict verdict;
        try {
            verdict = watch.askKeyed(call.tool().name(), call.address().key());
            if (verdict instanceof Stopped stopped) {
                return new Stopping(idem).answer(call, stopped);
            }
        } catch (IdemException e) {
            // Its counters may be in a ledger.
            return Answers.of(call, e);
        }
        Passage passage = (Passage) verdict;
        try {
            ToolAnswer answer = allowed(call, action, count);
            tell(passage, call, answer, count);
            return answer;
        } catch (RuntimeException | Error thrown) {
            passage.threw(thrown);
            throw thrown;
        }
    }

    /**
     * What replays while a run resumes is not counted, nor is what waits for a person: it is to be called again. A doubt
     * of which the model was told to call again is no loop, or the two would contradict each other.
     */
    private static void tell(Passage passage, Prepared call, ToolAnswer answer, Tally.Count count) {
        if (answer instanceof Refused refused) {
            Throwable cause = refused.cause();
            if (refused.status() == Status.NEEDS_APPROVAL) {
                passage.resumed();
            } else if (cause != null && Answers.recovers(call, cause)) {
                passage.unclear(cause);
            } else if (cause != null) {
                passage.threw(cause);
            } else {
                passage.returned(refused.text());
            }
        } else if (answer.status() == Status.REPLAYED && count.resumes()) {
            passage.resumed();
        } else {
            passage.returned(answer.value());
        }
    }

    private ToolAnswer allowed(Prepared call, ToolAction<Vetted> action, Tally.Count count) {
        try {
            if (shadow != null && call.tool().sideEffect() != SideEffect.READ) {
                return shadow.record(call);
            }
            Gate gate = new Gate(idem, approvals, call);
            Refused refusal = gate.refusal();
            if (refusal != null) {
                return refusal;
            }
            Action<@Nullable Object, Exception> tried = tried(call, action, count, gate);
            Duration ttl = call.tool().sideEffect() == SideEffect.READ
                    ? call.tool().ttl().orElse(null)
                    : null;
            return ttl == null ? claimed(call, tried, count) : reads.get(call, ttl, () -> claimed(call, tried, count));
        } catch (IdemException e) {
            return Answers.of(call, e);
        }
    }

    private ToolAnswer claimed(Prepared call, Action<@Nullable Object, Exception> tried, Tally.Count count) {
        ToolAnswer answer = Answers.of(call, call.operation().attempt(tried));
        if (!answer.error() && !call.tool().keepsReads() && count.resumes()) {
            // Another process of the task has done it, and what was read here may be older than that.
            reads.clear();
        }
        return answer;
    }

    @SuppressWarnings("NullAway") // what the action returns may be null
    private Action<@Nullable Object, Exception> tried(
            Prepared call, ToolAction<Vetted> action, Tally.Count count, Gate gate) {
        // Put together only when it runs: most calls of a session that resumes are replays.
        return running -> {
            gate.pass(running);
            count.ran();
            Tool tool = call.tool();
            Action<@Nullable Object, Exception> once =
                    one -> clear(tool, action.run(one, call.handed().next()));
            Permit permit = Permit.of(tool.sideEffect(), tool.remote().orElse(null));
            try {
                return permit == Permit.NEVER
                        ? once.run(running)
                        : retryOf(tool).around(permit, once).run(running);
            } finally {
                // Before it is settled: whoever gets the result must not read what was true before it.
                if (!tool.keepsReads()) {
                    reads.clear();
                }
            }
        };
    }

    private static @Nullable Object clear(Tool tool, @Nullable Object result) {
        if (tool.doubts(result)) {
            throw new DoubtfulResultException(tool.name());
        }
        return result;
    }

    private Retry retryOf(Tool tool) {
        Retry declared = tool.retry().orElse(retry);
        return declared != null
                ? declared
                : Retry.standard().totalLimit(tool.policy().timeLimit());
    }
}
