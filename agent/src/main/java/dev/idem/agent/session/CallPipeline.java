package dev.idem.agent.session;

import dev.idem.Action;
import dev.idem.Idem;
import dev.idem.IdemException;
import dev.idem.SideEffect;
import dev.idem.agent.approval.Approvals;
import dev.idem.agent.guard.AllowedCall;
import dev.idem.agent.guard.LoopGuard;
import dev.idem.agent.guard.LoopVerdict;
import dev.idem.agent.guard.LoopWatch;
import dev.idem.agent.guard.StoppedCall;
import dev.idem.agent.retry.Permit;
import dev.idem.agent.retry.Retry;
import dev.idem.agent.tool.DoubtfulResultException;
import dev.idem.agent.tool.RunningTool;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAction;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.agent.tool.ToolAnswer.Refused;
import dev.idem.agent.tool.ToolAnswer.Status;
import dev.idem.agent.tool.Vetted;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Runs a vetted call through the loop guard, the approval check, the cache, the claim or replay, and the retries. */
final class CallPipeline {
    private final Idem idem;
    private final Approvals approvals;
    private final @Nullable LoopWatch watch;
    private final @Nullable Retry retry;
    private final @Nullable Shadow shadow;
    private final Reads reads;

    CallPipeline(SessionBuilder settings) {
        LoopGuard guard = settings.loopGuard();
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

    ToolAnswer run(Prepared call, ToolAction<Vetted> action, SessionCounts.Count count) {
        if (watch == null) {
            return allowed(call, action, count);
        }
        LoopVerdict verdict;
        try {
            verdict = watch.askKeyed(call.tool().name(), call.address().key());
            if (verdict instanceof StoppedCall stopped) {
                return new StoppedAnswers(idem).answer(call, stopped);
            }
        } catch (IdemException e) {
            // The counters may be in a ledger.
            return Answers.of(call, e);
        }
        AllowedCall passage = (AllowedCall) verdict;
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
     * Tells the loop guard how the call ended. A replay of a resumed run does not count, nor does a call that waits for an
     * approval: the model is to repeat both. A doubt does not count either where the model was told to call again.
     */
    private static void tell(AllowedCall passage, Prepared call, ToolAnswer answer, SessionCounts.Count count) {
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

    private ToolAnswer allowed(Prepared call, ToolAction<Vetted> action, SessionCounts.Count count) {
        try {
            if (shadow != null && call.tool().sideEffect() != SideEffect.READ) {
                return shadow.record(call);
            }
            ApprovalCheck approval = new ApprovalCheck(idem, approvals, call);
            Refused refusal = approval.refusal();
            if (refusal != null) {
                return refusal;
            }
            Action<@Nullable Object, Exception> tried = tried(call, action, count, approval);
            Duration cached = call.tool().cachedFor().orElse(null);
            return cached == null
                    ? claimed(call, tried, count)
                    : reads.get(call, cached, () -> claimed(call, tried, count));
        } catch (IdemException e) {
            return Answers.of(call, e);
        }
    }

    private ToolAnswer claimed(Prepared call, Action<@Nullable Object, Exception> tried, SessionCounts.Count count) {
        ToolAnswer answer = Answers.of(call, call.operation().attempt(tried));
        if (!answer.error() && !call.tool().keepsReads() && count.resumes()) {
            // Another process of the task has made the call. The values read here may be older.
            reads.clear();
        }
        return answer;
    }

    @SuppressWarnings("NullAway") // what the action returns may be null
    private Action<@Nullable Object, Exception> tried(
            Prepared call, ToolAction<Vetted> action, SessionCounts.Count count, ApprovalCheck approval) {
        return running -> {
            approval.use(running);
            count.ran();
            Tool tool = call.tool();
            Action<@Nullable Object, Exception> once = one -> unambiguous(
                    tool, RunningTool.inside(tool, () -> action.run(one, Preparing.fresh(tool, call.vetted()))));
            Permit permit = Permit.of(tool.sideEffect(), tool.remote().orElse(null));
            try {
                return permit == Permit.NEVER
                        ? once.run(running)
                        : retryOf(tool).around(permit, once).run(running);
            } finally {
                // Cleared before the call is settled: a caller that has the result must not read older values.
                if (!tool.keepsReads()) {
                    reads.clear();
                }
            }
        };
    }

    private static @Nullable Object unambiguous(Tool tool, @Nullable Object result) {
        if (tool.doubts(result)) {
            throw new DoubtfulResultException(tool.name());
        }
        return result;
    }

    private Retry retryOf(Tool tool) {
        Retry given = tool.retry().orElse(retry);
        Retry chosen = given != null
                ? given
                : Retry.standard().totalLimit(tool.policy().timeLimit());
        Integer attempts = tool.policy().retry();
        return attempts == null ? chosen : chosen.maxAttempts(attempts);
    }
}
