package dev.idem.agent.session;

import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.NotExecutedException;
import dev.idem.Outcome;
import dev.idem.SideEffect;
import dev.idem.State;
import dev.idem.agent.guard.StoppedCall;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.agent.tool.ToolAnswer.Refused;
import dev.idem.agent.tool.ToolAnswer.Status;
import org.jspecify.annotations.Nullable;

/**
 * Answers a call that the loop guard has stopped. The answer has the result of a completed call: without it a model would
 * try other arguments, which is another effect.
 */
record StoppedAnswers(Idem idem) {
    ToolAnswer answer(Prepared call, StoppedCall stopped) {
        Entry entry = call.tool().sideEffect() == SideEffect.READ
                ? null
                : idem.find(call.address()).orElse(null);
        if (entry != null && call.isDoneBy(entry)) {
            return done(call);
        }
        String text = entry != null && entry.state() == State.IN_DOUBT
                ? "'" + call.tool().name()
                        + "' was not called: it is unknown whether an earlier call of it took effect. "
                        + "Do not call it again. Tell the user that it is unclear, and that a person can settle it under "
                        + "the key " + call.address().key() + "."
                : stopped.forModel();
        return new Refused(call.tool().name(), Status.STOPPED, text, call.address(), null);
    }

    /** Replays the call, so that it is counted as a duplicate. It never runs. */
    private static ToolAnswer done(Prepared call) {
        Outcome<@Nullable Object> outcome = call.operation().attempt(running -> {
            throw new NotExecutedException("the loop guard has stopped it");
        });
        return outcome instanceof Outcome.Replayed<@Nullable Object> replayed
                ? Refused.done(call.tool().name(), replayed)
                : Answers.of(call, outcome);
    }
}
