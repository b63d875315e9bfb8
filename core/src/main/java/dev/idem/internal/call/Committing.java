package dev.idem.internal.call;

import dev.idem.Entry;
import dev.idem.LedgerException;
import dev.idem.LedgerUnavailableException;
import dev.idem.NotExecutedException;
import dev.idem.spi.Failure;
import dev.idem.spi.Retention;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import dev.idem.spi.Transactional.Transaction;
import org.jspecify.annotations.Nullable;

/** Settles an attempt in the transaction of its action, and commits both. */
final class Committing {
    private final Resender resender;
    private final Entry granted;
    private final Ticket ticket;
    private final RunningCall call;

    Committing(Resender resender, Entry granted, RunningCall call) {
        this.resender = resender;
        this.granted = granted;
        this.ticket = granted.ticket();
        this.call = call;
    }

    /** Neither the action's rows nor its result are stored. */
    static final class NotCommitted extends Exception {
        private static final long serialVersionUID = 1;

        private final transient RuntimeException why;

        NotCommitted(RuntimeException why) {
            super(why);
            this.why = why;
        }

        RuntimeException why() {
            return why;
        }
    }

    /**
     * Commits the rows with the entry. After the time limit they are rolled back: others may have waited too long for this
     * transaction already.
     *
     * @throws LedgerUnavailableException when it is unknown whether they were committed
     */
    Settled commit(Transaction<?> transaction, Settlement how) throws NotCommitted {
        try (transaction) {
            if (call.isPastItsLimit()) {
                throw rolledBack(transaction, notExecuted("its time limit was over before it was committed", null));
            }
            Settled settled = settled(transaction, how);
            if (!(settled instanceof Settled.Recorded)) {
                throw notExecuted("another owner had taken over", null);
            }
            try {
                transaction.commit();
                return settled;
            } catch (LedgerUnavailableException lost) {
                transaction.close();
                return afterLostCommit(settled, lost);
            }
        }
    }

    private Settled settled(Transaction<?> transaction, Settlement how) throws NotCommitted {
        try {
            return transaction.settle(ticket, how);
        } catch (LedgerException e) {
            throw rolledBack(transaction, notExecuted("the ledger gave no answer before the commit", e));
        } catch (RuntimeException e) {
            // The action may have ended the transaction itself: its rows may be committed.
            call.ambiguous(e);
            throw new NotCommitted(e);
        }
    }

    /** Settles the same ticket as failed: the ledger refuses it if the completion was committed. */
    private Settled afterLostCommit(Settled completed, LedgerUnavailableException lost) throws NotCommitted {
        var failed = new Settlement.Failed(Failure.of(lost), false, Retention.DEFAULT);
        Settled settled = resender.settle(ticket, failed);
        if (settled instanceof Settled.Already already) {
            Entry entry = already.entry();
            // Another fence means a probe's verdict, not this commit.
            if (Replaying.isCompleted(entry) && entry.fence().equals(ticket.fence())) {
                return completed;
            }
        }
        if (settled instanceof Settled.Stale stale && !hasTakenOver(stale.entry())) {
            // The entry was forgotten or has expired, and the key may be in use again: it may have been committed
            // before.
            call.ambiguous(lost);
            throw new NotCommitted(lost);
        }
        throw notExecuted("the commit failed", lost);
    }

    /**
     * Whether the entry goes on where this attempt stopped. It could do so only because this attempt was not complete: an
     * entry that was made anew, after a forget or an expiry, tells nothing about it.
     */
    private boolean hasTakenOver(@Nullable Entry entry) {
        return entry != null
                && (entry.tenure().acted().equals(ticket.fence())
                        || (entry.attempt() > granted.attempt()
                                && entry.times()
                                        .created()
                                        .equals(granted.times().created())));
    }

    /** After a rollback nothing was executed. If the transaction had ended before, the outcome is unknown. */
    private NotCommitted rolledBack(Transaction<?> transaction, NotCommitted why) {
        try {
            transaction.close();
            return why;
        } catch (IllegalStateException e) {
            call.ambiguous(e);
            e.addSuppressed(why.why());
            return new NotCommitted(e);
        }
    }

    private NotCommitted notExecuted(String why, @Nullable LedgerException cause) {
        return new NotCommitted(new NotExecutedException(
                "the transaction for " + ticket.address() + " was rolled back, because " + why
                        + ". Nothing was written",
                cause));
    }
}
