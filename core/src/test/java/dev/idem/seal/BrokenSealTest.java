package dev.idem.seal;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.LedgerUnreadableException;
import dev.idem.spi.Effect;
import dev.idem.spi.Failure;
import dev.idem.spi.Payload;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** A seal that was moved or changed does not open. */
class BrokenSealTest extends SealCase {
    @Test
    void movedToAnotherEntryItDoesNotOpen() {
        ledger.settle(take(), RESULT);
        Settlement sealed = stored().settlement();
        for (Address other : new Address[] {
            new Address("t", "charge", "k"),
            new Address("s", "refund", "k"),
            new Address("s", "charge", "l"),
            new Address("s", "charg", "ek")
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
        stored.forget(stored());
        ledger.settle(take(), completed("2"));
        assertUnreadable(stored().withSettlement(first), "made for another attempt");
    }

    @Test
    void aPersonsWordBroughtBackOnALaterAttemptDoesNotOpen() {
        Ticket ticket = take();
        ledger.settle(ticket, DOUBTFUL);
        ledger.resolve(KEY, ticket.fence(), RESULT);
        Settlement resolved = stored().settlement();
        stored.forget(stored());
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
    void underAnotherIdOfTheSameKeyItDoesNotOpen() {
        ledger.settle(take(), RESULT);
        Payload sealed = ((Result.Stored) requireNonNull(stored().result())).payload();
        byte[] key = keys.sealing().getEncoded();
        Entry renamed = withPayload(stored(), Payload.of(sealed.bytes(), sealed.mediaType(), "idem-sealed;v=1;key=b"));
        assertThatThrownBy(() -> new SealedValues(keys.alsoReading("b", key)).open(renamed))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("key 'b', and the seal does not open");
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
}
