package dev.idem.postgresql;

import dev.idem.entry.Entry;
import dev.idem.entry.State;
import dev.idem.error.LedgerUnavailableException;
import dev.idem.ledger.Claim;
import dev.idem.ledger.ClaimRequest;
import dev.idem.ledger.Processes;
import dev.idem.ledger.StateMachine;
import dev.idem.ledger.Step;
import dev.idem.sql.Expectation;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Claims. The first question takes a key that nobody has, or reads what is there. Where that is to be changed, which may
 * hang on processes that the server does not know, a second one says what is known of them.
 */
final class Claims {
    private static final int MOST_ASKS = 20;

    private final Steps steps;
    private final StateMachine rules;
    private final Processes processes;
    private final Expectation expectation;

    Claims(Steps steps, StateMachine rules, Processes processes, Expectation expectation) {
        this.steps = steps;
        this.rules = rules;
        this.processes = processes;
        this.expectation = expectation;
    }

    /**
     * Takes the key, or says who has it.
     *
     * @param keepsChanging what to throw when the entry was another one at every look
     */
    Claim claim(ClaimRequest request, Supplier<LedgerUnavailableException> keepsChanging) {
        Judgement judgement = null;
        Entry looked = null;
        for (int asked = 0; asked < MOST_ASKS; asked++) {
            Answer answer;
            try {
                answer = ask(request, judgement, asked > 0 || expectation.readFirst());
            } catch (LedgerUnavailableException e) {
                Entry held = PostgresqlErrors.locked(e) ? heldElsewhere(request) : null;
                if (held == null || isCompleteStill(held, looked)) {
                    throw e;
                } else if (held.state() == State.IN_PROGRESS) {
                    return seen(new Claim.InFlight(held, Duration.ZERO));
                }
                judgement = null;
                continue;
            }
            if (answer.entry() == null) {
                // Somebody else was quicker, or has gone since.
                judgement = null;
                continue;
            }
            Entry entry = answer.found();
            if (answer.changed()) {
                return seen(new Claim.Granted(entry));
            }
            Step<Claim> step = rules.claim(entry, request, answer.now(), entry::fence);
            boolean knownBefore =
                    judgement != null && judgement.fence() == entry.fence().number();
            if (!step.changes() && (knownBefore || !hangsOnTheOwner(step.answer(), answer))) {
                return seen(step.answer());
            }
            looked = entry;
            judgement = Judgement.of(entry, processes);
        }
        throw keepsChanging.get();
    }

    private Answer ask(ClaimRequest request, @Nullable Judgement judgement, boolean readFirst) {
        if (judgement != null) {
            return steps.claim(request, judgement);
        }
        return readFirst ? steps.claim(request, rules) : steps.claimNew(request, rules);
    }

    private Claim seen(Claim claim) {
        expectation.saw(claim);
        return claim;
    }

    /**
     * Whether it is in doubt only since its owner is dead. Since the entry was read, its owner may have settled and
     * ended: that it is dead proves something only if it was known before.
     */
    private static boolean hangsOnTheOwner(Claim claim, Answer answer) {
        Entry entry = answer.found();
        return claim instanceof Claim.InDoubt
                && entry.state() == State.IN_PROGRESS
                && answer.now().wall().isBefore(entry.tenure().lease().wall());
    }

    /** It has expired then, and whoever holds it is not about to complete it. */
    private static boolean isCompleteStill(Entry held, @Nullable Entry looked) {
        return looked != null
                && held.state() == State.COMPLETE
                && looked.state() == State.COMPLETE
                && held.fence().equals(looked.fence());
    }

    /** The entry that a transaction is about to settle, or has just completed; what is neither is not waited for. */
    private @Nullable Entry heldElsewhere(ClaimRequest request) {
        Answer found = steps.find(request.address());
        if (found == null) {
            return null;
        }
        State state = found.found().state();
        return state == State.IN_PROGRESS || state == State.COMPLETE ? found.found() : null;
    }
}
