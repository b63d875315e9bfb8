package dev.idem.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.State;
import dev.idem.spi.Claim;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import dev.idem.testkit.LedgerCase;
import dev.idem.testkit.SettableClocks;
import dev.idem.testkit.Settlements;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The expiry of settled entries, and purging. */
abstract class ExpiryContract extends LedgerCase {
    private static final Duration MOMENT = Duration.ofMillis(1);
    private static final Duration KEEP = Settlements.DAY.keep();

    private Address settled(String key, Settlement how) {
        Address address = new Address("shop", "charge", key);
        ledger().settle(take(address), how);
        return address;
    }

    @Test
    void anEntryAnswersUntilItsRetentionIsOver() {
        ledger().settle(take(), Settlements.completed("1"));
        pass(KEEP.minus(MOMENT));
        assertThat(ledger().claim(request())).isInstanceOf(Claim.Replay.class);
        pass(MOMENT);
        assertThat(ledger().find(KEY)).isEmpty();
        assertThat(ledger().claim(request())).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void theRetentionCountsFromTheSettle() {
        Ticket ticket = take();
        pass(Duration.ofHours(2));
        ledger().settle(ticket, Settlements.completed("1"));
        pass(KEEP.minus(MOMENT));
        assertThat(entry().state()).isEqualTo(State.COMPLETE);
    }

    /** The clock was a year behind at the settle. After its correction the entry expired, and it ran again. */
    @Test
    void aClockThatWasBehindAtTheSettleLetsNothingExpire() {
        SettableClocks clocks = monotonicClocks();
        ledger().settle(take(), Settlements.completed("1"));
        clocks.stepWall(Duration.ofDays(365));
        assertThat(ledger().claim(request())).isInstanceOf(Claim.Replay.class);
        capability(Browsable.class).purge(100);
        assertThat(ledger().claim(request())).isInstanceOf(Claim.Replay.class);
        pass(KEEP);
        assertThat(ledger().claim(request())).isInstanceOf(Claim.Granted.class);
    }

    /** The entry looked expired as soon as the clock was right again, and it ran again. */
    @Test
    void aClockThatSteppedBackWhileTheActionRanLetsNothingExpire() {
        SettableClocks clocks = monotonicClocks();
        Ticket ticket = take();
        clocks.stepWall(KEEP.plus(KEEP).negated());
        ledger().settle(ticket, Settlements.completed("1"));
        clocks.stepWall(KEEP.plus(KEEP));
        assertThat(ledger().claim(request())).isInstanceOf(Claim.Replay.class);
        capability(Browsable.class).purge(100);
        assertThat(ledger().claim(request())).isInstanceOf(Claim.Replay.class);
        pass(KEEP);
        assertThat(ledger().claim(request())).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void failuresExpireToo() {
        ledger().settle(take(), Settlements.failedForGood());
        pass(KEEP);
        assertThat(ledger().find(KEY)).isEmpty();
        assertThat(granted(request()).attempt()).isEqualTo(1);
    }

    @Test
    void whatHasExpiredStartsFromNothing() {
        ledger().settle(take(), Settlements.completed("1"));
        ledger().claim(request());
        pass(KEEP);
        Entry entry = granted(request(OTHER_IDENTITY));
        assertThat(entry.attempt()).isEqualTo(1);
        assertThat(entry.fingerprints()).isEqualTo(OTHER_IDENTITY);
        assertThat(entry.times().created()).isEqualTo(clocks().now().wall());
        assertThat(entry.replays()).isZero();
        assertThat(entry().replays()).isZero();
    }

    @Test
    void aGrantClearsTheExpiry() {
        ledger().settle(take(), Settlements.failed());
        pass(KEEP.minus(MOMENT));
        Ticket ticket = take();
        ledger().renew(ticket, KEEP);
        pass(Duration.ofHours(1));
        assertThat(entry().state()).isEqualTo(State.IN_PROGRESS);
        assertThat(ledger().claim(request())).isInstanceOf(Claim.InFlight.class);
    }

    @Test
    void aTombstoneAnswersExpiredAndHandsOutNothing() {
        ledger().settle(take(), Settlements.completed("\"secret\"", Settlements.DAY_AND_TOMBSTONE));
        pass(KEEP);
        Claim.Expired expired = answer(Claim.Expired.class, ledger().claim(request()));
        assertThat(expired.entry().state()).isEqualTo(State.EXPIRED);
        assertThat(expired.entry().result()).isInstanceOf(Result.Unavailable.class);
        pass(Duration.ofHours(1).minus(MOMENT));
        assertThat(entry().state()).isEqualTo(State.EXPIRED);
        pass(MOMENT);
        assertThat(ledger().find(KEY)).isEmpty();
    }

    @Test
    void aTombstoneSurvivesThePurgeOfWhatItRemembers() {
        Browsable browsable = capability(Browsable.class);
        ledger().settle(take(), Settlements.completed("\"secret\"", Settlements.DAY_AND_TOMBSTONE));
        pass(KEEP);
        foretold(browsable, 1);
        assertThat(browsable.purge(100)).isEqualTo(1);
        foretold(browsable, 0);
        assertThat(browsable.purge(100)).as("nothing left to strip").isZero();
        assertThat(ledger().claim(request())).isInstanceOf(Claim.Expired.class);
        pass(Duration.ofHours(1));
        assertThat(ledger().find(KEY)).isEmpty();
        assertThat(browsable.purge(100)).isEqualTo(1);
        assertThat(ledger().claim(request())).isInstanceOf(Claim.Granted.class);
    }

    /** If a ledger can count the entries that a purge would remove, the count is right. */
    private static void foretold(Browsable browsable, long count) {
        browsable
                .purgeable()
                .ifPresent(told -> assertThat(told)
                        .as("what a purge would take something from")
                        .isEqualTo(count));
    }

    @Test
    void aPurgeTakesWhatHasExpiredAndNothingElse() {
        Browsable browsable = capability(Browsable.class);
        Address shortLived = settled("short", Settlements.completed("1", Retention.of(Duration.ofMinutes(1))));
        Address longLived = settled("long", Settlements.completed("2"));
        Address failed = settled("failed", Settlements.failed(Retention.of(Duration.ofMinutes(1))));
        foretold(browsable, 0);
        assertThat(browsable.purge(100)).isZero();
        pass(Duration.ofMinutes(1));
        foretold(browsable, 2);
        assertThat(browsable.purge(100)).isEqualTo(2);
        foretold(browsable, 0);
        assertThat(browsable.purge(100)).isZero();
        assertThat(ledger().find(shortLived)).isEmpty();
        assertThat(ledger().find(failed)).isEmpty();
        assertThat(entry(longLived).state()).isEqualTo(State.COMPLETE);
    }

    @Test
    void aPurgeNeverTakesWhatIsInProgressOrInDoubt() {
        Browsable browsable = capability(Browsable.class);
        Ticket running = take(new Address("shop", "charge", "running"));
        take(new Address("shop", "charge", "lapsed"));
        Address doubted = settled("doubted", Settlements.doubtful());
        pass(Duration.ofDays(3650));
        ledger().renew(running, LEASE);
        foretold(browsable, 0);
        assertThat(browsable.purge(100)).isZero();
        assertThat(entry(running.address()).state()).isEqualTo(State.IN_PROGRESS);
        assertThat(entry(new Address("shop", "charge", "lapsed")).state()).isEqualTo(State.IN_DOUBT);
        assertThat(entry(doubted).state()).isEqualTo(State.IN_DOUBT);
    }

    @Test
    void aPurgeNeverTakesWhatWasClaimedAgain() {
        Browsable browsable = capability(Browsable.class);
        Address address = settled("again", Settlements.failed(Retention.of(Duration.ofMinutes(1))));
        Ticket ticket = take(address);
        pass(Duration.ofMinutes(2));
        assertThat(browsable.purge(100)).isZero();
        assertThat(ledger().settle(ticket, Settlements.completed("1"))).isInstanceOf(Settled.Recorded.class);
    }

    @Test
    void aPurgeKeepsToItsLimit() {
        Browsable browsable = capability(Browsable.class);
        for (int i = 0; i < 10; i++) {
            settled("key-" + i, Settlements.completed("1"));
        }
        pass(KEEP);
        List<Integer> purged = List.of(browsable.purge(4), browsable.purge(4), browsable.purge(4), browsable.purge(4));
        assertThat(purged).containsExactly(4, 4, 2, 0);
    }

    @Test
    void whatHasExpiredIsHiddenBeforeAnyPurge() {
        Browsable browsable = capability(Browsable.class);
        settled("gone", Settlements.completed("1"));
        settled("tomb", Settlements.completed("1", Settlements.DAY_AND_TOMBSTONE));
        pass(KEEP);
        assertThat(browsable.browse(Query.all()).entries())
                .extracting(entry -> entry.address().key(), Entry::state)
                .containsExactly(tuple("tomb", State.EXPIRED));
        assertThat(browsable.stats().count(State.COMPLETE)).isZero();
        assertThat(browsable.stats().count(State.EXPIRED)).isEqualTo(1);
    }
}
