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
import org.jspecify.annotations.Nullable;

/** The approval of one call: asked for before it is claimed, used up once it is granted. */
final class Gate {
    private final Idem idem;
    private final Approvals approvals;
    private final Prepared call;
    private final Wanted wanted;
    private Ruling.@Nullable Granted granted;
    private @Nullable Entry finishing;

    Gate(Idem idem, Approvals approvals, Prepared call) {
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
        if (entry != null && entry.state() == State.IN_DOUBT && call.tool().retrySafe()) {
            // It would run again. Cut off before its approval was used, it has not acted, and needs one still.
            if (approvals.letAct(wanted, entry.tenure().acted())) {
                finishing = entry;
                return null;
            }
        } else if (entry != null && entry.state() != State.FAILED) {
            // Nothing new would run: it is replayed, waited for or in doubt.
            return null;
        }
        Ruling ruling = approvals.ask(wanted);
        if (ruling instanceof Ruling.Granted given) {
            granted = given;
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

    /** Lets the action pass, or ends it before anything has happened. */
    void pass(Call running) {
        if (!call.tool().needsApproval()) {
            return;
        }
        boolean passes;
        try {
            passes = granted == null ? finishes(running) : approvals.use(granted, running);
        } catch (RuntimeException e) {
            throw new NotExecutedException("its approval could not be looked up: " + e.getMessage(), e);
        }
        if (!passes && granted == null) {
            throw new NotExecutedException("it needs an approval. Call it again to ask for one");
        } else if (!passes) {
            throw new NotExecutedException("its approval was used or has expired meanwhile. Call it again to ask anew");
        }
    }

    /**
     * Whether this attempt finishes the approved one that was seen in doubt: to do so by the key that the remote knows is
     * no second effect. Where the doubt has gone meanwhile, by a person's word or a probe's, the approval has served.
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
