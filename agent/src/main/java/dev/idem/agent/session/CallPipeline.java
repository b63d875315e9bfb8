package dev.idem.agent.session;

import dev.idem.Call;
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
import dev.idem.agent.tool.ToolNotCalledException;
import dev.idem.agent.tool.Vetted;
import dev.idem.internal.wait.WaitingAction;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Runs a vetted call through its steps, each around the next: loop guard, approval, cache, claim or replay, retries. */
final class CallPipeline {
    private final Idem idem;
    private final Approvals approvals;
    private final @Nullable LoopWatch watch;
    private final @Nullable Retry retry;
    private final @Nullable Shadow shadow;
    private final Reads reads;
    private final Step steps;

    /** A call on its way through the steps. Its approval is known once that step has let it pass. */
    private record Pending(
            Prepared call,
            ToolAction<Vetted> action,
            SessionCounts.Count count,
            @Nullable ApprovalCheck approval) {}

    /** A step of a call. */
    private interface Step {
        ToolAnswer run(Pending pending);
    }

    /** A step inside the claim: what it throws is the end of the attempt. */
    private interface Inner {
        @Nullable
        Object run(Pending pending, Call running) throws Exception;
    }

    CallPipeline(SessionBuilder settings) {
        LoopGuard guard = settings.loopGuard();
        this.idem = settings.idem();
        this.approvals = settings.approvals();
        this.watch = guard == null ? null : guard.watch(settings.scope());
        this.retry = settings.retry();
        this.shadow = settings.shadow();
        this.reads = settings.reads();
        this.steps = loopGuard(approval(cache(claim(retry(CallPipeline::tool)))));
    }

    boolean shadows() {
        return shadow != null;
    }

    ToolAnswer run(Prepared call, ToolAction<Vetted> action, SessionCounts.Count count) {
        return steps.run(new Pending(call, action, count, null));
    }

    private Step loopGuard(Step next) {
        return watch == null ? next : pending -> watched(watch, pending, next);
    }

    private ToolAnswer watched(LoopWatch guard, Pending pending, Step next) {
        Prepared call = pending.call();
        LoopVerdict verdict;
        try {
            verdict = call.tool().sideEffect() == SideEffect.READ
                    ? guard.askRead(call.tool().name(), call.address().key())
                    : guard.askKeyed(call.tool().name(), call.address().key());
            if (verdict instanceof StoppedCall stopped) {
                return new StoppedAnswers(idem).answer(call, stopped);
            }
        } catch (IdemException e) {
            // The counters may be in a ledger.
            return Answers.of(call, e);
        }
        AllowedCall passage = (AllowedCall) verdict;
        try {
            ToolAnswer answer = next.run(pending);
            tell(passage, call, answer, pending.count());
            return answer;
        } catch (RuntimeException | Error thrown) {
            tellOfChange(passage, call, pending.count());
            passage.threw(thrown);
            throw thrown;
        }
    }

    /** A failed call had no effect. All other endings of a write that ran may have: reads after it may be new. */
    private static void tellOfChange(AllowedCall passage, Prepared call, SessionCounts.Count count) {
        if (count.acted() && call.tool().sideEffect() != SideEffect.READ) {
            passage.mayHaveChanged();
        }
    }

    /**
     * Tells the loop guard how the call ended. A replay of a resumed run does not count, nor does a call that waits for an
     * approval: the model is to repeat both. A doubt does not count either where the model was told to call again.
     */
    private static void tell(AllowedCall passage, Prepared call, ToolAnswer answer, SessionCounts.Count count) {
        if (answer.status() != Status.FAILED) {
            tellOfChange(passage, call, count);
        }
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

    /** A shadow ends here: it records what would have been done. */
    private Step approval(Step next) {
        return pending -> {
            Prepared call = pending.call();
            try {
                if (shadow != null && call.tool().sideEffect() != SideEffect.READ) {
                    return shadow.record(call);
                }
                ApprovalCheck check = new ApprovalCheck(idem, approvals, call);
                Refused refusal = check.refusal();
                return refusal != null
                        ? refusal
                        : next.run(new Pending(call, pending.action(), pending.count(), check));
            } catch (IdemException e) {
                return Answers.of(call, e);
            }
        };
    }

    private Step cache(Step next) {
        return pending -> {
            Duration cached = pending.call().tool().cachedFor().orElse(null);
            return cached == null ? next.run(pending) : reads.get(pending.call(), cached, () -> next.run(pending));
        };
    }

    @SuppressWarnings("NullAway") // what a tool returns may be null
    private Step claim(Inner next) {
        return pending -> {
            Prepared call = pending.call();
            WaitingAction<@Nullable Object, Exception> action =
                    new WaitingAction<>(running -> next.run(pending, running), call.onWait(), call.resumes());
            ToolAnswer answer = Answers.of(call, call.operation().attempt(action));
            if (!answer.error() && pending.count().resumes()) {
                // Another process of the task has made the call. The values read here may be older.
                reads.clearAfter(call.tool());
            }
            return answer;
        };
    }

    @SuppressWarnings("NullAway") // what a tool returns may be null
    private Inner retry(Inner next) {
        return (pending, running) -> {
            ApprovalCheck approval = Objects.requireNonNull(pending.approval());
            approval.use(running);
            pending.count().ran();
            Tool tool = pending.call().tool();
            Permit permit = Permit.of(tool.sideEffect(), tool.remote().orElse(null));
            try {
                return permit == Permit.NEVER
                        ? next.run(pending, running)
                        : retryOf(tool)
                                .<@Nullable Object, Exception>around(permit, one -> next.run(pending, one))
                                .run(running);
            } catch (ToolNotCalledException e) {
                approval.giveBack(running, e);
                throw e;
            } finally {
                // Cleared before the call is settled: a caller that has the result must not read older values.
                reads.clearAfter(tool);
            }
        };
    }

    private static @Nullable Object tool(Pending pending, Call running) throws Exception {
        Tool tool = pending.call().tool();
        return unambiguous(
                tool,
                RunningTool.inside(
                        tool,
                        () -> pending.action()
                                .run(
                                        running,
                                        Preparing.fresh(tool, pending.call().vetted()))));
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
