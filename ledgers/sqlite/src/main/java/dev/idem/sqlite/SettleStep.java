package dev.idem.sqlite;

import dev.idem.entry.Entry;
import dev.idem.entry.Settlement;
import dev.idem.entry.Ticket;
import dev.idem.ledger.Clocks;
import dev.idem.ledger.Settled;
import dev.idem.ledger.StateMachine;
import dev.idem.ledger.Step;
import dev.idem.sql.EntryRow;
import dev.idem.sql.TrailChange;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Ends an attempt. Most end in the process that was granted it, and are one statement. */
final class SettleStep implements Request.Work<Settled> {
    private final StateMachine rules;
    private final Clocks clocks;
    private final Ticket ticket;
    private final Settlement how;

    SettleStep(StateMachine rules, Clocks clocks, Ticket ticket, Settlement how) {
        this.rules = rules;
        this.clocks = clocks;
        this.ticket = ticket;
        this.how = how;
    }

    @Override
    public Settled run(WriteTransaction transaction) throws SQLException {
        Settled plain = plain(transaction, false);
        if (plain != null) {
            return plain;
        }
        EntryRow found = transaction.find(ticket.address());
        Step<Settled> step = rules.settle(SqliteLedger.entry(found), ticket, how, clocks.now());
        return transaction.take(found, step, TrailChange::settled);
    }

    @Override
    public @Nullable Settled single(WriteTransaction unbegun) throws SQLException {
        return plain(unbegun, true);
    }

    /** By one statement, which checks for itself that the entry is as it is remembered; null: it takes more. */
    private @Nullable Settled plain(WriteTransaction transaction, boolean alone) throws SQLException {
        Remembered.Running guessed = transaction.guess(ticket.address());
        if (guessed == null) {
            return null;
        }
        Step<Settled> step = rules.settle(guessed.row().entry(), ticket, how, clocks.now());
        Entry after = step.put();
        if (after == null || (alone && !transaction.endsInOneStatement(after))) {
            return null;
        }
        TrailChange told = TrailChange.settled(guessed.row(), after);
        return transaction.endIfUnchanged(guessed, after, told) ? step.answer() : null;
    }
}
