package dev.idem.seal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.entry.Address;
import dev.idem.entry.AttemptId;
import dev.idem.entry.Effect;
import dev.idem.entry.Entry;
import dev.idem.entry.Failure;
import dev.idem.entry.Fingerprints;
import dev.idem.entry.Moment;
import dev.idem.entry.Owner;
import dev.idem.entry.Payload;
import dev.idem.entry.Result;
import dev.idem.entry.Retention;
import dev.idem.entry.Settlement;
import dev.idem.entry.State;
import dev.idem.entry.Ticket;
import dev.idem.error.LedgerUnreadableException;
import dev.idem.ledger.Browsable;
import dev.idem.ledger.Claim;
import dev.idem.ledger.ClaimRequest;
import dev.idem.ledger.LedgerContext;
import dev.idem.ledger.Processes;
import dev.idem.ledger.Query;
import dev.idem.ledger.Settled;
import dev.idem.ledger.TakeOver;
import dev.idem.memory.MemoryLedger;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** On every way an entry can be settled its seals open, and nowhere else. */
class SealedLedgerTest {
    private static final Address KEY = new Address("s", "charge", "k");
    private static final String SECRET = "4111 1111 1111 1111";
    private static final Settlement RESULT = completed("\"" + SECRET + "\"");
    private static final Settlement DOUBTFUL = new Settlement.Doubtful(new Failure("bank.Timeout", SECRET));
    private static final Settlement FAILED =
            new Settlement.Failed(new Failure("bank.Declined", SECRET), false, Retention.DEFAULT);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private Instant now = Instant.parse("2026-11-15T08:00:00Z");
    private long attempts;
    private final MemoryLedger stored =
            new MemoryLedger(new LedgerContext(() -> Moment.ofWall(now), Processes.unknown()));
    private final SealKeys keys = keys("a");
    private final SealedLedger ledger = new SealedLedger(stored, keys);

    private static SealKeys keys(String id) {
        byte[] key = new byte[32];
        Arrays.fill(key, (byte) id.charAt(0));
        return SealKeys.of(id, key);
    }

    private static Settlement.Completed completed(String json) {
        Payload payload = Payload.of(json.getBytes(UTF_8), "application/json", "json");
        return new Settlement.Completed(new Result.Stored(payload), Effect.CREATED, Retention.DEFAULT);
    }

    private Entry take(Address address, TakeOver how) {
        ClaimRequest request = ClaimRequest.of(
                        new AttemptId(7, ++attempts), address, Fingerprints.NONE, Owner.named("tester"))
                .withTakeOver(how)
                .withTimeLimit(MINUTE);
        return ((Claim.Granted) ledger.claim(request)).entry();
    }

    private Ticket take() {
        return take(KEY, TakeOver.NONE).ticket();
    }

    private Entry stored() {
        return stored.find(KEY).orElseThrow();
    }

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
    void movedToAnotherEntryItDoesNotOpen() {
        ledger.settle(take(), RESULT);
        Settlement sealed = stored().settlement();
        for (Address other : new Address[] {
            new Address("t", "charge", "k"), new Address("s", "charg", "ek"), new Address("s", "charge", "l")
        }) {
            // Bound to nothing but the fence, it would open here.
            Entry moved = at(other, stored()).withSettlement(sealed);
            assertUnreadable(moved, "changed or moved");
        }
    }

    private static Entry at(Address address, Entry entry) {
        return new Entry(
                address,
                entry.state(),
                entry.fence(),
                entry.attempt(),
                entry.fingerprints(),
                entry.parent(),
                entry.labels(),
                entry.tenure(),
                entry.doubt(),
                entry.times(),
                entry.replays(),
                entry.settlement());
    }

    @Test
    void broughtBackOnALaterAttemptItDoesNotOpen() {
        ledger.settle(take(), RESULT);
        Settlement first = stored().settlement();
        stored.forget(KEY, stored().fence());
        ledger.settle(take(), completed("2"));
        assertUnreadable(stored().withSettlement(first), "made for another attempt");
    }

    @Test
    void aPersonsWordBroughtBackOnALaterAttemptDoesNotOpen() {
        Ticket ticket = take();
        ledger.settle(ticket, DOUBTFUL);
        ledger.resolve(KEY, ticket.fence(), RESULT);
        Settlement resolved = stored().settlement();
        stored.forget(KEY, stored().fence());
        ledger.settle(take(), completed("2"));
        assertUnreadable(stored().withSettlement(resolved), "changed or moved");
    }

    @Test
    void movedToAnotherFieldItDoesNotOpen() {
        ledger.settle(take(), FAILED);
        String message = requireNonNull(stored().failure()).message();
        assertUnreadable(
                stored().withSettlement(new Settlement.Completed(
                        new Result.Unavailable(message), Effect.CREATED, Retention.DEFAULT)),
                "changed or moved");
    }

    @Test
    void changedAtAnyPlaceItDoesNotOpen() {
        ledger.settle(take(), RESULT);
        assertNoByteCanBeChanged();
        Ticket other = take(KEY.withOperation("other"), TakeOver.NONE).ticket();
        ledger.settle(other, DOUBTFUL);
        ledger.resolve(other.address(), other.fence(), RESULT);
        assertNoByteCanBeChanged(stored.find(other.address()).orElseThrow());
    }

    private void assertNoByteCanBeChanged() {
        assertNoByteCanBeChanged(stored());
    }

    private void assertNoByteCanBeChanged(Entry entry) {
        Payload sealed = ((Result.Stored) requireNonNull(entry.result())).payload();
        for (int i = 0; i < sealed.bytes().length; i++) {
            for (int bit = 0; bit < 8; bit++) {
                byte[] changed = sealed.bytes().clone();
                changed[i] ^= (byte) (1 << bit);
                assertUnreadable(withPayload(entry, Payload.of(changed, sealed.mediaType(), sealed.codec())), "'a'");
            }
        }
        for (int length = 0; length < sealed.bytes().length; length++) {
            byte[] cut = Arrays.copyOf(sealed.bytes(), length);
            assertUnreadable(withPayload(entry, Payload.of(cut, sealed.mediaType(), sealed.codec())), "'a'");
        }
    }

    private static Entry withPayload(Entry entry, Payload payload) {
        return entry.withSettlement(
                new Settlement.Completed(new Result.Stored(payload), Effect.CREATED, Retention.DEFAULT));
    }

    @Test
    void aDamagedTextDoesNotOpen() {
        ledger.settle(take(), FAILED);
        String message = requireNonNull(stored().failure()).message();
        for (String damaged : new String[] {
            message.substring(0, message.length() - 2),
            message + "AA",
            message + "!",
            "idem-sealed;v=1;key=a",
            "idem-sealed;v=1;key=a:"
        }) {
            assertUnreadable(doubtful(damaged), "key 'a'");
        }
        assertUnreadable(doubtful("idem-sealed;key=a"), "damaged");
        assertUnreadable(doubtful(message.replace("v=1", "v=2")), "format 2");
    }

    private Entry doubtful(String message) {
        return stored().withSettlement(new Settlement.Doubtful(new Failure("x", message)));
    }

    private void assertUnreadable(Entry entry, String why) {
        assertThatThrownBy(() -> new SealedValues(keys).open(entry))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining(why)
                .hasMessageContaining(entry.address().toString())
                .message()
                .doesNotContain(SECRET);
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
    void aCapabilityItDoesNotKnowIsNotPassedOn() {
        assertThat(ledger.as(MemoryLedger.class)).isEmpty();
        assertThat(ledger.as(SealedLedger.class)).contains(ledger);
    }
}
