package dev.idem.internal.call;

import dev.idem.LedgerException;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.spi.Ledger;
import org.jspecify.annotations.Nullable;

/** Runs a call inside the transaction of its caller. Its entry exists if and only if that transaction commits. */
final class JoinedCalls {
    private final Settings settings;
    private final Gate gate;
    private final Events events;
    private final Heartbeats heartbeats;

    JoinedCalls(Settings settings, Gate gate, Events events, Heartbeats heartbeats) {
        this.settings = settings;
        this.gate = gate;
        this.events = events;
        this.heartbeats = heartbeats;
    }

    <T extends @Nullable Object> Outcome<T> call(Admitted call, Runner<T> runner, JoinedTransaction transaction)
            throws InterruptedException {
        // This lease is never renewed, and other callers do not see it before the commit.
        Policy unrenewed = call.policy().lease(call.policy().timeLimit());
        Admitted inside = new Admitted(call.plan().withPolicy(unrenewed), call.subject(), call.parent());
        gate.claiming();
        try (transaction) {
            return wiring(transaction).claiming().call(inside, runner).join().outcome();
        } catch (LedgerException e) {
            throw transaction.translated(e);
        } finally {
            gate.claimed();
        }
    }

    /** Sends nothing twice, since an error may have ended the transaction, and publishes nothing before the commit. */
    private Wiring wiring(JoinedTransaction transaction) {
        Ledger ledger = transaction.ledger();
        Events later = events.publishedBy(transaction::publish);
        return new Wiring(
                ledger,
                settings,
                gate,
                later,
                Heartbeats.none(ledger, settings.clock(), later, heartbeats),
                Resender.never(ledger, settings.clock()),
                NearCache.off(settings.clock()),
                transaction);
    }
}
