package dev.idem.seal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.LedgerUnreadableException;
import dev.idem.State;
import dev.idem.spi.AttemptId;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Effect;
import dev.idem.spi.Failure;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Owner;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.TrailLine;
import dev.idem.spi.store.MemoryLedger;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** On every way an entry can be settled its seals open, and nowhere else. */
class SealedLedgerTest extends SealCase {
    /** It is told as it was settled, and stored without the secret. */
    private void assertOpens(Settlement how) {
        assertThat(ledger.find(KEY).orElseThrow().settlement()).isEqualTo(how);
        assertThat(SealedLedger.keyIdOf(stored())).contains("a");
        assertThat(textOf(stored().settlement())).doesNotContain(SECRET, "application/json");
    }

    private static String textOf(Settlement how) {
        if (how instanceof Settlement.Completed completed) {
            return completed.result() instanceof Result.Stored kept
                    ? new String(kept.payload().bytes(), UTF_8)
                            + kept.payload().codec()
                            + kept.payload().mediaType()
                    : ((Result.Unavailable) completed.result()).why();
        } else if (how instanceof Settlement.Failed failed) {
            return failed.failure().message();
        }
        return ((Settlement.Doubtful) how).failure().message();
    }

    static Stream<Settlement> settlements() {
        return Stream.of(
                RESULT,
                FAILED,
                new Settlement.Failed(new Failure("bank.Declined", SECRET), true, Retention.DEFAULT),
                DOUBTFUL,
                new Settlement.Completed(
                        new Result.Unavailable("can't write " + SECRET), Effect.CREATED, Retention.DEFAULT));
    }

    @ParameterizedTest
    @MethodSource("settlements")
    void byTheCurrentTicket(Settlement how) {
        Settled.Recorded recorded = (Settled.Recorded) ledger.settle(take(), how);

        assertThat(recorded.entry().settlement()).isEqualTo(how);
        assertOpens(how);
        assertThat(ledger.as(Browsable.class).orElseThrow().browse(Query.all()).entries())
                .singleElement()
                .satisfies(entry -> assertThat(entry.settlement()).isEqualTo(how));
    }

    @Test
    void sentAgainItIsAlreadyThereAndOpened() {
        Ticket ticket = take();
        ledger.settle(ticket, RESULT);
        Settled.Already already = (Settled.Already) ledger.settle(ticket, completed("2"));
        assertThat(already.entry().settlement()).isEqualTo(RESULT);
    }

    @Test
    void byAnOwnerWhoseLeaseHasLapsed() {
        Ticket ticket = take();
        now = now.plus(MINUTE);
        ledger.settle(ticket, RESULT);
        assertOpens(RESULT);
    }

    @Test
    void byTheOneWhoRunsItAgainAndTheStaleOwnerIsHandedThat() {
        Ticket first = take();
        ledger.settle(first, DOUBTFUL);
        Ticket second = take(KEY, TakeOver.RERUN).ticket();
        ledger.settle(second, RESULT);
        assertOpens(RESULT);
        Settled.Stale stale = (Settled.Stale) ledger.settle(first, completed("2"));
        assertThat(requireNonNull(stale.entry()).settlement()).isEqualTo(RESULT);
    }

    @Test
    void aFailureThatIsWrittenAsDoubt() {
        ledger.settle(take(), DOUBTFUL);
        Ticket second = take(KEY, TakeOver.RERUN).ticket();
        Settled.Recorded recorded = (Settled.Recorded) ledger.settle(second, FAILED);
        Settlement doubt = new Settlement.Doubtful(new Failure("bank.Declined", SECRET));
        assertThat(recorded.entry().settlement()).isEqualTo(doubt);
        assertOpens(doubt);
    }

    @Test
    void byAProbe() {
        ledger.settle(take(), DOUBTFUL);
        now = now.plus(MINUTE);
        Entry probing = take(KEY, TakeOver.PROBE);
        assertThat(probing.probing()).isTrue();
        ledger.settle(probing.ticket(), RESULT);
        assertOpens(RESULT);
    }

    @Test
    void byTheDoubtedOwnerWhileAnotherProbes() {
        Ticket first = take();
        ledger.settle(first, DOUBTFUL);
        now = now.plus(MINUTE);
        Entry probing = take(KEY, TakeOver.PROBE);
        assertThat(((Settled.Recorded) ledger.settle(first, RESULT)).entry().settlement())
                .isEqualTo(RESULT);
        assertOpens(RESULT);
        Settled.Already already = (Settled.Already) ledger.settle(probing.ticket(), DOUBTFUL);
        assertThat(already.entry().settlement()).isEqualTo(RESULT);
    }

    @Test
    void byTheDoubtedOwnerAfterAProbeThatCouldNotTell() {
        Ticket first = take();
        ledger.settle(first, DOUBTFUL);
        now = now.plus(MINUTE);
        ledger.settle(take(KEY, TakeOver.PROBE).ticket(), DOUBTFUL);
        assertOpens(DOUBTFUL);
        ledger.settle(first, RESULT);
        assertOpens(RESULT);
    }

    @ParameterizedTest
    @MethodSource("settlements")
    void byAPersonWhoResolvesIt(Settlement how) {
        Ticket ticket = take();
        ledger.settle(ticket, DOUBTFUL);
        assertThat(ledger.resolve(KEY, ticket.fence(), how)).isTrue();
        assertOpens(how);
        assertThat(stored().fence()).isGreaterThan(ticket.fence());
    }

    @Test
    void byAPersonAfterALapseAndBySomebodyWhoChangesTheirMind() {
        Ticket ticket = take();
        now = now.plus(MINUTE);
        assertThat(ledger.resolve(KEY, ticket.fence(), FAILED)).isTrue();
        assertOpens(FAILED);
        assertThat(ledger.resolve(KEY, ticket.fence(), RESULT)).isFalse();
        assertThat(ledger.resolve(KEY, stored().fence(), RESULT)).isTrue();
        assertOpens(RESULT);
    }

    @Test
    void evidenceThatNothingHappenedStaysReadable() {
        ledger.settle(take(), DOUBTFUL);
        Settlement nothing = new Settlement.NotExecuted("asked the bank", Retention.DEFAULT);
        // Not from a probe, so it proves nothing of the first attempt and is written as doubt.
        ledger.settle(take(KEY, TakeOver.RERUN).ticket(), nothing);
        assertThat(ledger.find(KEY)).isEqualTo(stored.find(KEY));
        assertThat(requireNonNull(stored().failure()).message()).isEqualTo("asked the bank");
        assertThat(requireNonNull(stored().doubt()).reason()).isEqualTo("the action ended with bank.Timeout");
    }

    @Test
    void aTombstoneNeedsNoKey() {
        Retention kept = Retention.of(Duration.ofDays(1)).withTombstone(Duration.ofDays(1));
        ledger.settle(take(), new Settlement.Completed(((Settlement.Completed) RESULT).result(), Effect.CREATED, kept));
        now = now.plus(Duration.ofDays(1));
        SealedLedger without = new SealedLedger(stored, keys("z"));
        assertThat(without.find(KEY).orElseThrow().state()).isEqualTo(State.EXPIRED);
    }

    @Test
    void afterARotationBothAreReadAndTheNewOneSeals() {
        ledger.settle(take(), RESULT);
        byte[] old = new byte[32];
        Arrays.fill(old, (byte) 'a');
        SealedLedger rotated = new SealedLedger(stored, keys("b").alsoReading("a", old));
        assertThat(rotated.find(KEY).orElseThrow().settlement()).isEqualTo(RESULT);

        Address later = KEY.withOperation("later");
        rotated.settle(take(later, TakeOver.NONE).ticket(), RESULT);
        assertThat(SealedLedger.keyIdOf(stored.find(later).orElseThrow())).contains("b");
        assertThat(rotated.describe()).endsWith(", sealed with 'b' (seals), 'a'");
    }

    @Test
    void withoutItsKeyEveryWayToItIsAnError() {
        Ticket ticket = take();
        ledger.settle(ticket, RESULT);
        SealedLedger other = new SealedLedger(stored, keys("b"));
        ClaimRequest claim = ClaimRequest.of(new AttemptId(9, 9), KEY, Fingerprints.NONE, Owner.named("other"));
        for (Runnable way : new Runnable[] {
            () -> other.claim(claim),
            () -> other.find(KEY),
            () -> other.settle(ticket, RESULT),
            () -> other.as(Browsable.class).orElseThrow().browse(Query.all())
        }) {
            assertThatThrownBy(way::run)
                    .isInstanceOf(LedgerUnreadableException.class)
                    .hasMessageContaining("s/charge/k is sealed with key 'a', which is not among 'b' (seals)")
                    .hasMessageContaining("Add that key");
        }
        assertThatThrownBy(() -> new SealedLedger(stored, SealKeys.none()).find(KEY))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("no seal keys were given");
    }

    @Test
    void anotherKeyUnderTheSameIdIsAnError() {
        ledger.settle(take(), RESULT);
        SealedLedger other = new SealedLedger(stored, SealKeys.of("a", new byte[32]));
        assertThatThrownBy(() -> other.find(KEY))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("key 'a'")
                .hasMessageContaining("the key under this id is another one now");
    }

    @ParameterizedTest
    @MethodSource("settlements")
    void whatWasWrittenBeforeSealingWasSwitchedOnIsRead(Settlement how) {
        Ticket ticket = take();
        stored.settle(ticket, how);
        assertThat(ledger.find(KEY)).isEqualTo(stored.find(KEY));
        assertThat(SealedLedger.keyIdOf(stored())).isEmpty();
    }

    @Test
    void twoSealsOfTheSameResultDiffer() {
        Address other = KEY.withOperation("other");
        ledger.settle(take(), RESULT);
        ledger.settle(take(other, TakeOver.NONE).ticket(), RESULT);
        byte[] one =
                ((Result.Stored) requireNonNull(stored().result())).payload().bytes();
        byte[] two = ((Result.Stored)
                        requireNonNull(stored.find(other).orElseThrow().result()))
                .payload()
                .bytes();
        assertThat(Arrays.copyOfRange(one, 9, 21)).isNotEqualTo(Arrays.copyOfRange(two, 9, 21));
    }

    @Test
    void aTrailSaysThatSomethingIsSealedAndDoesNotShowIt() {
        ledger.settle(
                take(), new Settlement.Completed(new Result.Unavailable(SECRET), Effect.CREATED, Retention.DEFAULT));
        String why = ((Result.Unavailable) requireNonNull(stored().result())).why();
        TrailLine line = new TrailLine(now, stored().fence(), "complete", "created, no result to replay: " + why);
        assertThat(new SealedLedger.SealedTrails(address -> List.of(line)).trail(KEY))
                .containsExactly(new TrailLine(
                        now, stored().fence(), "complete", "created, no result to replay: (sealed with key 'a')"));
    }

    @Test
    void aCapabilityItDoesNotKnowIsNotPassedOn() {
        assertThat(ledger.as(MemoryLedger.class)).isEmpty();
        assertThat(ledger.as(SealedLedger.class)).contains(ledger);
    }
}
