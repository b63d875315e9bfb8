package dev.idem.sqlite;

import dev.idem.entry.Entry;
import dev.idem.entry.Moment;
import dev.idem.ledger.Claim;
import dev.idem.ledger.ClaimRequest;
import dev.idem.ledger.Clocks;
import dev.idem.ledger.Fences;
import dev.idem.ledger.StateMachine;
import dev.idem.ledger.Step;
import dev.idem.sql.EntryRow;
import dev.idem.sql.TrailChange;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Takes a key, or says who has it. Most claims are of new keys: those are one statement, which finds out for itself. */
final class ClaimStep implements Request.Work<Claim> {
    private final StateMachine rules;
    private final Clocks clocks;
    private final ClaimRequest request;

    ClaimStep(StateMachine rules, Clocks clocks, ClaimRequest request) {
        this.rules = rules;
        this.clocks = clocks;
        this.request = request;
    }

    @Override
    public Claim run(WriteTransaction transaction) throws SQLException {
        Moment now = clocks.now();
        Claim first = seemsNew(transaction) ? first(transaction, now, transaction.fences()) : null;
        return first != null ? first : afterLooking(transaction, now);
    }

    @Override
    public @Nullable Claim single(WriteTransaction unbegun) throws SQLException {
        Claim first = null;
        if (seemsNew(unbegun)) {
            do {
                Fences fences = unbegun.guessedFences();
                first = fences == null ? null : first(unbegun, clocks.now(), fences);
            } while (first == null && unbegun.guessesAgain());
        }
        return first;
    }

    private boolean seemsNew(WriteTransaction transaction) {
        return request.labels().isEmpty() && transaction.guess(request.address()) == null;
    }

    private @Nullable Claim first(WriteTransaction transaction, Moment now, Fences fences) throws SQLException {
        Step<Claim> step = rules.claim(null, request, now, fences);
        Entry entry = step.put();
        return entry != null && transaction.insertIfAbsent(entry) ? step.answer() : null;
    }

    private Claim afterLooking(WriteTransaction transaction, Moment now) throws SQLException {
        EntryRow found = transaction.find(request.address());
        if (found != null && rules.view(found.entry(), now) == null) {
            transaction.drop(found);
            found = null;
        }
        Step<Claim> step = rules.claim(SqliteLedger.entry(found), request, now, transaction.fences());
        Entry after = step.put();
        if (after != null && found != null) {
            transaction.replace(found, after, TrailChange.claimed(found, after, now.wall()));
        } else if (after != null) {
            transaction.insert(after);
        }
        return step.answer();
    }
}
