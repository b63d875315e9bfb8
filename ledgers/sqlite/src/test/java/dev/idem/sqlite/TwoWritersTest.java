package dev.idem.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Entry;
import dev.idem.spi.Claim;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Mark;
import dev.idem.spi.Retention;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import dev.idem.testkit.MemoryFolder;
import dev.idem.testkit.SettableClocks;
import dev.idem.testkit.SettableProcesses;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ledger does not trust its memory of its own rows after another ledger has written. */
class TwoWritersTest {
    @TempDir(factory = MemoryFolder.class)
    Path folder;

    private final SettableClocks clocks = new SettableClocks();
    private TestLedger one;
    private TestLedger other;

    @BeforeEach
    void openTwice() {
        one = open();
        other = open();
    }

    @AfterEach
    void close() {
        one.close();
        other.close();
    }

    @Test
    void aFenceThatAnotherGaveAndForgotIsNotGivenAgain() {
        Fixtures.complete(one, "first");
        Entry theirs = Fixtures.complete(other, "k");
        assertThat(other.forget(theirs)).isTrue();
        assertThat(Fixtures.take(one, "k").fence()).isGreaterThan(theirs.fence());
    }

    @Test
    void aFenceThatAnotherGaveAndReplacedIsNotGivenAgain() {
        Fixtures.complete(one, "first");
        Ticket theirs = Fixtures.take(other, "k");
        clocks.advance(Duration.ofHours(1));
        Ticket again = ((Claim.Granted) other.claim(Fixtures.request("k").withTakeOver(TakeOver.RERUN))).ticket();
        assertThat(again.fence()).isGreaterThan(theirs.fence());
        assertThat(Fixtures.take(one, "new").fence()).isGreaterThan(again.fence());
        assertThat(one.trail(Fixtures.address("new"))).hasSize(1);
    }

    @Test
    void aKeyThatAnotherHasTakenIsNotNew() {
        Fixtures.complete(one, "first");
        Fixtures.take(other, "k");
        assertThat(one.claim(Fixtures.request("k"))).isInstanceOf(Claim.InFlight.class);
    }

    @Test
    void anEntryThatAnotherHasSettledIsSettled() {
        Ticket ticket = Fixtures.take(one, "k");
        assertThat(other.settle(ticket, Fixtures.completed("1"))).isInstanceOf(Settled.Recorded.class);
        assertThat(one.settle(ticket, Fixtures.completed("2"))).isInstanceOf(Settled.Already.class);
        assertThat(one.find(ticket.address()).orElseThrow().result())
                .isEqualTo(((Settlement.Completed) Fixtures.completed("1")).result());
    }

    @Test
    void aGrantThatAnotherHasTakenOverIsStale() {
        Ticket ticket = Fixtures.take(one, "k");
        clocks.advance(Duration.ofHours(1));
        other.claim(Fixtures.request("k").withTakeOver(TakeOver.RERUN));
        assertThat(one.settle(ticket, Fixtures.completed("1"))).isInstanceOf(Settled.Stale.class);
        assertThat(one.renew(ticket, Duration.ofMinutes(1))).isFalse();
    }

    @Test
    void whatAnotherHasAddedIsAnsweredToo() {
        Ticket ticket = ((Claim.Granted) one.claim(Fixtures.request("k").withStaged(true))).ticket();
        assertThat(other.mark(ticket, Mark.of("charging"))).isTrue();
        Settled settled = one.settle(ticket, Fixtures.completed("1"));
        assertThat(((Settled.Recorded) settled).entry().tenure().marks()).containsExactly(Mark.of("charging"));
        Ticket renewed = Fixtures.take(one, "renewed");
        assertThat(other.renew(renewed, Duration.ofDays(1))).isTrue();
        assertThat(one.find(renewed.address()).orElseThrow().tenure().lease().wall())
                .isEqualTo(clocks.now().wall().plus(Duration.ofDays(1)));
        assertThat(one.settle(renewed, Fixtures.completed("1"))).isInstanceOf(Settled.Recorded.class);
    }

    @Test
    void anEntrySettledAfterAnotherHasPurgedComesDueToo() {
        settle("first", Duration.ofHours(1));
        Ticket running = Fixtures.take(one, "running");
        clocks.advance(Duration.ofHours(2));
        one.renew(running, Duration.ofHours(1));
        assertThat(other.purge(100)).isEqualTo(1);
        one.settle(running, Fixtures.completed(new byte[1], Retention.of(Duration.ofHours(3))));
        clocks.advance(Duration.ofHours(4));
        assertThat(other.purge(100)).isEqualTo(1);
    }

    @Test
    void anEntryGrantedAndSettledAfterAnotherHasPurgedComesDueToo() {
        settle("first", Duration.ofHours(1));
        clocks.advance(Duration.ofHours(2));
        assertThat(other.purge(100)).isEqualTo(1);
        settle("second", Duration.ofHours(3));
        clocks.advance(Duration.ofHours(4));
        assertThat(other.purge(100)).isEqualTo(1);
    }

    @Test
    void entriesKeptForAMinuteArePurgedByAnotherEachTime() {
        for (int round = 0; round < 4; round++) {
            for (int i = 0; i < 3; i++) {
                settle("r" + round + "-" + i, Duration.ofMinutes(1));
            }
            clocks.advance(Duration.ofMinutes(2));
            assertThat(other.purgeable()).hasValue(3);
            assertThat(other.purge(100)).as("round " + round).isEqualTo(3);
        }
    }

    @Test
    void anEntryKeptShorterThanThoseBeforeIsPurgedBeforeThem() {
        settle("long", Duration.ofDays(7));
        settle("short", Duration.ofHours(1));
        clocks.advance(Duration.ofHours(2));
        assertThat(one.purge(100)).isEqualTo(1);
        assertThat(one.find(Fixtures.address("long"))).isPresent();
    }

    private void settle(String key, Duration keep) {
        one.settle(Fixtures.take(one, key), Fixtures.completed(new byte[1], Retention.of(keep)));
    }

    private TestLedger open() {
        return TestLedger.open(
                SqliteOptions.at(folder.resolve("idem.db")), new LedgerContext(clocks, new SettableProcesses()));
    }
}
