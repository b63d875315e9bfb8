package dev.idem.agent.session;

import dev.idem.Call;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.NotExecutedException;
import dev.idem.State;
import dev.idem.agent.approval.Approvals;
import dev.idem.agent.approval.Ruling;
import dev.idem.agent.approval.Wanted;
import dev.idem.agent.tool.ToolAnswer.Refused;
import dev.idem.agent.tool.ToolAnswer.Status;
import dev.idem.agent.tool.ToolNotCalledException;
import org.jspecify.annotations.Nullable;

/** The approval check of one call: it asks before the claim, and uses the approval up once the claim is granted. */
final class ApprovalCheck {
    private final Idem idem;
    private final Approvals approvals;
    private final Prepared call;
    private final Wanted wanted;
    private Ruling.@Nullable Granted granted;
    private @Nullable Entry finishing;

    ApprovalCheck(Idem idem, Approvals approvals, Prepared call) {
        this.idem = idem;
        this.approvals = approvals;
        this.call = call;
        this.wanted = new Wanted(call.address(), call.vetted().arguments());
    }

    /** Why the call may not be made; null when it may. */
    @Nullable
    Refused refusal() {
        if (!call.tool().needsApproval()) {
            return null;
        }
        Entry entry = idem.find(call.address()).orElse(null);
        if (entry != null && entry.state() == State.IN_DOUBT && call.runsAgain(entry)) {
            // It would run again. An attempt that ended before it used its approval has not acted, and still needs one.
            if (approvals.letAct(wanted, entry.tenure().acted())) {
                finishing = entry;
                return null;
            }
        } else if (entry != null && runsNothing(entry)) {
            return null;
        }
        Ruling ruling = approvals.ask(wanted);
        if (ruling instanceof Ruling.Granted given) {
            granted = given;
            return null;
        } else if (idem.find(call.address()).filter(this::runsNothing).isPresent()) {
            // Another caller has used the approval between the look and the question.
            approvals.takeBack(ruling);
            return null;
        }
        Status status = ruling instanceof Ruling.Denied ? Status.DENIED : Status.NEEDS_APPROVAL;
        return new Refused(
                call.tool().name(),
                status,
                ruling.forModel(),
                call.address(),
                null,
                ruling.request().key(),
                null);
    }

    /** Whether nothing new would run: the call is replayed, waits or is in doubt. */
    private boolean runsNothing(Entry entry) {
        return entry.state() == State.COMPLETE
                ? call.isDoneBy(entry)
                : entry.state() != State.FAILED && !(entry.state() == State.IN_DOUBT && call.runsAgain(entry));
    }

    /**
     * Uses the approval up.
     *
     * @throws NotExecutedException if there is none to use; nothing has happened
     */
    void use(Call running) {
        if (!call.tool().needsApproval()) {
            return;
        }
        boolean used;
        try {
            used = granted == null ? finishes(running) : approvals.use(granted, running);
        } catch (RuntimeException e) {
            throw new NotExecutedException("its approval could not be looked up: " + e.getMessage(), e);
        }
        if (!used && granted == null) {
            throw new NotExecutedException("it needs an approval. Call it again to ask for one");
        } else if (!used) {
            throw new NotExecutedException("its approval was used or has expired meanwhile. Call it again to ask anew");
        }
    }

    /** Gives the approval back if the code of the tool was not called, unless an earlier try is in doubt. */
    void giveBack(Call running, ToolNotCalledException why) {
        Ruling.Granted used = granted;
        if (used == null || running.doubted()) {
            return;
        }
        try {
            approvals.giveBack(used, running);
        } catch (RuntimeException e) {
            why.addSuppressed(e); // the approval stays used: a person is asked once more
        }
    }

    /**
     * Whether this attempt finishes the approved attempt that was in doubt. The remote knows the key, or it is the next
     * round of the same call, so there is no second effect. If a person or a probe has cleared the doubt meanwhile, the approval is used up.
     */
    private boolean finishes(Call running) {
        Entry doubted = finishing;
        Entry own = doubted == null ? null : idem.find(call.address()).orElse(null);
        return doubted != null
                && own != null
                && own.doubt() != null
                && own.fence().equals(running.fence())
                && own.attempt() == doubted.attempt() + 1
                && own.times().created().equals(doubted.times().created())
                && approvals.finish(wanted, running);
    }
}
