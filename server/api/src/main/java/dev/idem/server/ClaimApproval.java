package dev.idem.server;

import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.Repeat;
import dev.idem.State;
import dev.idem.agent.approval.Approvals;
import dev.idem.agent.approval.Ruling;
import dev.idem.agent.approval.Wanted;
import dev.idem.internal.call.Recovery;
import dev.idem.spi.AttemptId;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The approval of one claim. It is asked for before the claim, and used up for the fence of the grant before the client
 * hears of it: a client that was answered may act.
 */
final class ClaimApproval {
    private final Idem idem;
    private final Approvals approvals;
    private final Wanted wanted;
    private final Policy policy;
    private @Nullable Entry finishing;

    ClaimApproval(Idem idem, Wanted wanted, Policy policy) {
        this.idem = idem;
        this.approvals = Approvals.on(idem);
        this.wanted = wanted;
        this.policy = policy;
    }

    /** Why the claim may not be made; null where it may. */
    @Nullable
    Answer refusal(AttemptId id) {
        Entry entry = idem.find(wanted.call()).orElse(null);
        if (entry != null && entry.tenure().attemptId().equals(id)) {
            // A repeat: the grant or the ending of this very claim. The grant still needs its use.
            return null;
        } else if (entry != null && entry.state() == State.IN_DOUBT && runsAgain(entry)) {
            // It would run again. An attempt that ended before it used its approval has not acted, and still needs one.
            if (approvals.letAct(wanted, entry.tenure().acted())) {
                finishing = entry;
                return null;
            }
        } else if (entry != null && runsNothing(entry)) {
            return null;
        }
        Ruling ruling = approvals.ask(wanted);
        if (ruling instanceof Ruling.Granted) {
            return null;
        } else if (isTaken(id)) {
            approvals.takeBack(ruling);
            return null;
        }
        return refused(ruling);
    }

    /** Whether nothing new would run: the call is replayed, waits or is in doubt. */
    private boolean runsNothing(Entry entry) {
        return entry.state() == State.COMPLETE
                ? policy.onRepeat() == Repeat.REPLAY
                : entry.state() != State.FAILED && !(entry.state() == State.IN_DOUBT && runsAgain(entry));
    }

    /** Whether the approval was used between the look and the question: by a copy of this claim, or by another caller. */
    private boolean isTaken(AttemptId id) {
        return idem.find(wanted.call())
                .filter(entry -> entry.tenure().attemptId().equals(id) || runsNothing(entry))
                .isPresent();
    }

    private boolean runsAgain(Entry doubted) {
        Duration age = Duration.between(doubted.began(), Instant.now());
        Recovery.WayOut way = Recovery.wayOut(policy, false, age.isNegative() ? Duration.ZERO : age);
        return way == Recovery.WayOut.SAME_KEY || way == Recovery.WayOut.RERUN;
    }

    /** Uses the approval up for a granted attempt. False if there is none to use. */
    boolean use(Entry granted) {
        if (approvals.letAct(wanted, granted.fence())) {
            return true;
        } else if (finishes(granted)) {
            return approvals.finish(wanted, granted);
        }
        Ruling ruling = approvals.ask(wanted);
        if (ruling instanceof Ruling.Granted given && approvals.use(given, granted)) {
            return true;
        }
        // A copy of this claim may have used it for the same fence, through another server.
        boolean copyUsed = approvals.letAct(wanted, granted.fence());
        if (copyUsed) {
            approvals.takeBack(ruling);
        }
        return copyUsed;
    }

    /** Whether the attempt finishes the approved one that was in doubt: the same effect, not a second one. */
    private boolean finishes(Entry granted) {
        Entry doubted = finishing;
        return doubted != null
                && granted.doubt() != null
                && granted.attempt() == doubted.attempt() + 1
                && granted.times().created().equals(doubted.times().created());
    }

    /** The answer to a claim whose approval was used or has expired meanwhile. */
    Answer held() {
        return refused(approvals.ask(wanted));
    }

    private static Answer refused(Ruling ruling) {
        Answer answer = Answer.of(ruling instanceof Ruling.Denied ? "denied" : "held")
                .with("key", ruling.request().callKey())
                .with("approval", ruling.request().key())
                .with("summary", ruling.request().summary())
                .with("expires_at", ruling.request().expiresAt());
        if (ruling instanceof Ruling.Denied denied) {
            answer.with("by", denied.decision().person())
                    .with("why", denied.decision().why());
        }
        return answer.with("message", ruling.forModel()).with("for_model", ruling.forModel());
    }
}
