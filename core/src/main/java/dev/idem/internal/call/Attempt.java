package dev.idem.internal.call;

import dev.idem.Entry;
import dev.idem.Policy;
import dev.idem.internal.runtime.Clock;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ticket;
import dev.idem.spi.Transactional.Transaction;
import org.jspecify.annotations.Nullable;

/** A granted attempt: what it holds, how far its action has come, and what an exception of the action proves. */
final class Attempt {
    final Admitted admitted;
    final Entry granted;
    final HeldTicket held;
    final RunningCall call;
    /** How many entries the near cache had dropped when the claim was sent. */
    final long dropsBefore;
    /** Whether the action has begun: from then on its effect may have happened. */
    volatile boolean acting;

    private volatile @Nullable Frame frame;
    private volatile @Nullable Work<?> work;

    Attempt(Admitted admitted, Entry granted, HeldTicket held, long dropsBefore, Ledger ledger, Clock clock) {
        this.admitted = admitted;
        this.granted = granted;
        this.held = held;
        this.dropsBefore = dropsBefore;
        this.call = new RunningCall(granted, held, ledger, clock, this::nothingHappened);
    }

    /** Begins the work inside the frame. */
    void begin(Work<?> begun, Frame entered) {
        work = begun;
        frame = entered;
    }

    Plan plan() {
        return admitted.plan();
    }

    Policy policy() {
        return admitted.policy();
    }

    Ticket ticket() {
        return held.ticket;
    }

    /** The open transaction of the action; null when there is none. */
    @Nullable
    Transaction<?> transaction() {
        Work<?> current = work;
        return current == null ? null : current.transaction();
    }

    /** Whether the exception that ended the action proves that nothing happened. */
    boolean isDefinite(Throwable thrown) {
        if (call.wasAmbiguous()) {
            return false;
        }
        return !acting || transaction() != null || stoppedBeforeItsMark(thrown) || proves(thrown);
    }

    /** Whether the end of what the action began was seen. An error of an inner operation tells only of that one. */
    boolean saw(Throwable thrown) {
        return call.endIsSeen(thrown, this::isFromInside);
    }

    /** Whether a try inside the action has done nothing. Its rows in a transaction are undone only when that ends. */
    private boolean nothingHappened(Throwable thrown) {
        return transaction() == null && (stoppedBeforeItsMark(thrown) || proves(thrown));
    }

    private boolean stoppedBeforeItsMark(Throwable thrown) {
        return policy().isStaged() && call.stoppedBeforeItsMark(thrown);
    }

    private boolean proves(Throwable thrown) {
        return Proof.isGivenBy(thrown, policy(), this::isFromInside);
    }

    private boolean isFromInside(Throwable thrown) {
        Frame entered = frame;
        return entered != null && entered.threwInside(thrown);
    }
}
