package dev.idem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.spi.ResolvedBy;
import dev.idem.spi.Settlement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ResolutionTest {
    private record Receipt(String id, int cents) {}

    private static final Address CHARGE = new Address("default", "charge", "k");

    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();

    @AfterEach
    void close() {
        idem.close();
    }

    @Test
    void aResolvedValueIsReplayedAsTheDeclaredType() throws Exception {
        assertThat(idem.resolve(doubted()).by("ann").because("seen at the bank").asComplete(new Receipt("ch_1", 4200)))
                .isTrue();
        Outcome.Valued<Receipt> again = (Outcome.Valued<Receipt>) charge().attempt(call -> new Receipt("ch_2", 4200));
        assertThat(again.value()).isEqualTo(new Receipt("ch_1", 4200));
        assertThat(again.replayed()).isTrue();
        assertThat(((Settlement.Completed) entry().settlement()).note()).isEqualTo("resolved by ann: seen at the bank");
    }

    @Test
    void resolvedWithoutAResultSaysThatAPersonDidSo() {
        assertThat(idem.resolve(doubted()).by("ann").because("seen at the bank").asCompleteWithoutResult())
                .isTrue();
        assertThatThrownBy(() -> charge().run(call -> new Receipt("ch_2", 1)))
                .isInstanceOf(ResultUnavailableException.class)
                .hasMessageContaining("ann resolved it without a result: seen at the bank")
                .hasMessageNotContaining("serialised");
    }

    @Test
    void resolvedAsFailedMayRunAgain() throws Exception {
        assertThat(idem.resolve(doubted()).by("ann").because("not at the bank").asFailed())
                .isTrue();
        assertThat(((Settlement.NotExecuted) entry().settlement()).evidence())
                .isEqualTo("resolved by ann: not at the bank");
        assertThat(charge().attempt(call -> new Receipt("ch_2", 1)).replayed()).isFalse();
    }

    @Test
    void whoDecidedIsAFieldAndItsTextIsChecked() {
        Resolution resolution = idem.resolve(doubted());
        for (String wrong : List.of("ann\nbob", "\u202eann", "\u0000", "a".repeat(201))) {
            assertThatThrownBy(() -> resolution.by(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> resolution.because("a".repeat(2001))).isInstanceOf(IllegalArgumentException.class);
        resolution.by("ann: b").because("seen: twice").through("token ci").asFailed();
        assertThat(entry().resolution()).isEqualTo(new ResolvedBy("ann: b", "seen: twice", null, "token ci"));
    }

    /** An operation may keep its results for longer than a resolution by hand does. */
    @Test
    void aResolvedKeyDoesNotRunAgainAsSoonAsItsResultHasExpired() {
        idem.resolve(doubted()).asComplete("found");
        assertThat(((Settlement.Completed) entry().settlement()).retention().tombstone())
                .isEqualTo(Duration.ofDays(7));
    }

    @Test
    void aValueWithoutAStoredFormChangesNothing() {
        Entry seen = doubted();
        assertThatThrownBy(() -> idem.resolve(seen).asComplete(new Object()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Nothing was changed");
        assertThat(entry()).isEqualTo(seen);
    }

    @Test
    void anEntryThatHasChangedSinceIsLeftAlone() {
        Entry seen = doubted();
        assertThat(idem.resolve(seen).asComplete("first")).isTrue();
        assertThat(idem.resolve(seen).asComplete("second")).isFalse();
    }

    private Entry doubted() {
        charge().attempt(call -> {
            throw new IllegalStateException("the answer was lost");
        });
        return entry();
    }

    private Entry entry() {
        return idem.find(CHARGE).orElseThrow();
    }

    private Operation<Receipt> charge() {
        return idem.operation("charge").key("k").returning(Receipt.class);
    }
}
