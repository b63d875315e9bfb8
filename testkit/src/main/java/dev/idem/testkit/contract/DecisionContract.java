package dev.idem.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Entry;
import dev.idem.State;
import dev.idem.spi.Effect;
import dev.idem.spi.ResolvedBy;
import dev.idem.spi.Result;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import dev.idem.testkit.LedgerCase;
import dev.idem.testkit.Settlements;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A person's decision is kept as a field that only resolve writes. */
abstract class DecisionContract extends LedgerCase {
    private Entry settled(Settlement how) {
        ledger().settle(take(), how);
        return entry();
    }

    @Test
    void resolveAsCompleteKeepsWhoSaidItAndWhy() {
        Settlement.Completed plain = Settlements.completed("\"told\"");
        Settlement told = new Settlement.Completed(
                plain.result(),
                plain.effect(),
                plain.retention(),
                new ResolvedBy("ann", "seen at the bank, €", "request-1", null));
        assertThat(ledger().resolve(KEY, settled(Settlements.doubtful()).fence(), told))
                .isTrue();
        assertThat(entry().settlement()).isEqualTo(told);
    }

    @Test
    void resolveWithoutAResultKeepsWhoSaidItAndWhy() {
        Settlement told = new Settlement.Completed(
                new Result.Unavailable("not known"), Effect.CREATED, Settlements.DAY, ResolvedBy.of("ann", null));
        assertThat(ledger().resolve(KEY, settled(Settlements.doubtful()).fence(), told))
                .isTrue();
        assertThat(entry().settlement()).isEqualTo(told);
    }

    @Test
    void resolveAsNotExecutedKeepsWhoSaidItAndWhy() {
        ResolvedBy ann = new ResolvedBy("ann: the boss", "not seen: (request 7)", "request-1", null);
        Settlement told = new Settlement.NotExecuted(ann, Settlements.DAY);
        assertThat(ledger().resolve(KEY, settled(Settlements.doubtful()).fence(), told))
                .isTrue();
        assertThat(entry().resolution()).isEqualTo(ann);
    }

    /** Whoever holds a ticket could otherwise say that a person has decided. */
    @Test
    void aTicketCantWriteAPersonsDecision() {
        Ticket ticket = take();
        ResolvedBy ann = ResolvedBy.of("ann", "seen at the bank");
        Settlement.Completed plain = Settlements.completed("\"told\"");
        List<Settlement> forged = List.of(
                new Settlement.Completed(plain.result(), plain.effect(), plain.retention(), ann),
                new Settlement.NotExecuted(ann, Settlements.DAY));
        for (Settlement each : forged) {
            assertThatThrownBy(() -> ledger().settle(ticket, each)).isInstanceOf(IllegalArgumentException.class);
            assertThat(entry().state()).isEqualTo(State.IN_PROGRESS);
        }
        ledger().settle(ticket, new Settlement.NotExecuted(ann.told(), Settlements.DAY));
        assertThat(entry().resolution()).isNull();
    }
}
