package dev.idem.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.InDoubtException;
import dev.idem.LedgerUnreadableException;
import dev.idem.OperationFailedException;
import dev.idem.Policy;
import dev.idem.RequestStore;
import dev.idem.spi.Host;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Result;
import dev.idem.spi.store.MemoryLedger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Idem on a sealed ledger: the same answers, and an error instead of a second run. */
class SealedIdemTest {
    private static final String SECRET = "tok_live_51Hx";

    private final MemoryLedger stored = new MemoryLedger(LedgerContext.ofHost(Host.system()));
    private final AtomicInteger effects = new AtomicInteger();

    private static SealKeys keys(String id) {
        byte[] key = new byte[32];
        Arrays.fill(key, (byte) id.charAt(0));
        return SealKeys.of(id, key);
    }

    private Idem open(SealKeys keys) {
        return Idem.builder()
                .ledger(stored)
                .sealing(keys)
                .quiet()
                .purgeEvery(Duration.ZERO)
                .open();
    }

    private Idem openUnsealed() {
        return Idem.builder().ledger(stored).quiet().purgeEvery(Duration.ZERO).open();
    }

    private <T> T once(Idem idem, Class<T> type, T value) {
        return idem.executeOnce("k", type, call -> {
            effects.incrementAndGet();
            return value;
        });
    }

    private String storedText() {
        Result result = stored.find(new Address("default", "execute_once", "k"))
                .orElseThrow()
                .result();
        return new String(((Result.Stored) result).payload().bytes(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void aDuplicateGetsTheSameResultAndTheLedgerDoesNotShowIt() {
        try (Idem first = open(keys("a"));
                Idem second = open(keys("a"))) {
            assertThat(once(first, String.class, SECRET)).isEqualTo(SECRET);
            assertThat(once(second, String.class, "other")).isEqualTo(SECRET);
        }
        assertThat(effects).hasValue(1);
        assertThat(storedText()).doesNotContain(SECRET);
    }

    @Test
    void nothingEmptyOrLargeComesBackAsItWas() {
        byte[] large = new byte[1 << 20];
        new Random(7).nextBytes(large);
        try (Idem idem = open(keys("a"))) {
            for (byte[] value : new byte[][] {{}, {0}, large}) {
                String key = "bytes-" + value.length;
                assertThat(idem.executeOnce(key, byte[].class, call -> value)).isEqualTo(value);
                assertThat(idem.executeOnce(key, byte[].class, call -> new byte[] {9}))
                        .isEqualTo(value);
            }
            idem.executeOnce("null", String.class, call -> null);
            assertThat(idem.executeOnce("null", String.class, call -> "other")).isNull();
            String text = "long text ".repeat(10_000);
            idem.executeOnce("gzip", String.class, call -> text);
            assertThat(idem.executeOnce("gzip", String.class, call -> "other")).isEqualTo(text);
        }
    }

    @Test
    void aSealThatCantBeReadIsAnErrorAndNothingRunsAgain() {
        try (Idem idem = open(keys("a"))) {
            once(idem, String.class, SECRET);
        }
        for (SealKeys wrong : new SealKeys[] {keys("b"), SealKeys.of("a", new byte[32]), SealKeys.none()}) {
            try (Idem idem = open(wrong)) {
                assertUnreadable(idem);
            }
        }
        try (Idem idem = openUnsealed()) {
            assertUnreadable(idem);
        }
        assertThat(effects).hasValue(1);
    }

    private void assertUnreadable(Idem idem) {
        assertThatThrownBy(() -> once(idem, String.class, "other"))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("is sealed with key 'a'");
        assertThatThrownBy(() -> idem.operation("execute_once")
                        .key("k")
                        .policy(Policy.unset().rerunOnDoubt())
                        .attempt(call -> {
                            effects.incrementAndGet();
                            return "other";
                        }))
                .isInstanceOf(LedgerUnreadableException.class);
    }

    @Test
    void theMessagesOfFailuresAreSealedAndDuplicatesGetThem() {
        try (Idem idem = open(keys("a"))) {
            assertThatThrownBy(() -> idem.operation("charge")
                            .key("k")
                            .policy(Policy.unset().keepFailures().definiteOn(IllegalStateException.class))
                            .run(call -> {
                                throw new IllegalStateException("refused " + SECRET);
                            }))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> idem.operation("charge").key("k").run(call -> effects.incrementAndGet()))
                    .isInstanceOf(OperationFailedException.class)
                    .hasMessageContaining(SECRET);
        }
        assertThat(stored.find(new Address("default", "charge", "k"))
                        .orElseThrow()
                        .failure()
                        .message())
                .startsWith("idem-sealed;v=1;key=a:")
                .doesNotContain(SECRET);
        try (Idem idem = open(keys("b"))) {
            assertThatThrownBy(() -> idem.operation("charge").key("k").run(call -> effects.incrementAndGet()))
                    .isInstanceOf(LedgerUnreadableException.class);
        }
        assertThat(effects).hasValue(0);
    }

    @Test
    void theReasonOfADoubtIsReadableWithoutAKeyAndHoldsNoMessage() {
        try (Idem idem = open(keys("a"))) {
            assertThatThrownBy(() -> idem.operation("charge").key("k").run(call -> {
                        throw new java.io.IOException(SECRET);
                    }))
                    .isInstanceOf(java.io.IOException.class);
        }
        try (Idem idem = openUnsealed()) {
            assertThatThrownBy(() -> idem.operation("charge").key("k").run(call -> effects.incrementAndGet()))
                    .isInstanceOf(InDoubtException.class)
                    .hasMessageContaining("the action ended with java.io.IOException")
                    .message()
                    .doesNotContain(SECRET);
        }
        assertThat(effects).hasValue(0);
    }

    @Test
    void whatWasStoredBeforeIsReplayed() {
        try (Idem idem = openUnsealed()) {
            once(idem, String.class, SECRET);
        }
        try (Idem idem = open(keys("a"))) {
            assertThat(once(idem, String.class, "other")).isEqualTo(SECRET);
        }
        assertThat(effects).hasValue(1);
    }

    @Test
    void theNearCacheAnswersAsBefore() {
        try (Idem idem = Idem.builder()
                .ledger(stored)
                .sealing(keys("a"))
                .nearCache(10, Duration.ofMinutes(1))
                .quiet()
                .open()) {
            once(idem, String.class, SECRET);
            stored.close();
            assertThat(once(idem, String.class, "other")).isEqualTo(SECRET);
        }
        assertThat(effects).hasValue(1);
    }

    @Test
    void aLedgerThatIdemHasOpenedIsClosedWithIt() {
        Idem idem = Idem.builder().ledger("memory:").sealing(keys("a")).quiet().open();
        assertThat(idem.ledger().describe()).startsWith("memory:").endsWith("sealed with 'a' (seals)");
        idem.close();
        assertThatThrownBy(() -> idem.find(new Address("a", "b", "c"))).hasMessageContaining("closed");
    }

    @Test
    void aRequestStoreWorksOnASealedLedgerAndNoticesSeals() {
        try (RequestStore store = RequestStore.builder()
                .ledger(new SealedLedger(stored, keys("a")))
                .open()) {
            store.markInProgress("r");
            store.markComplete("r", SECRET);
            assertThat(store.result("r").orElseThrow().value()).isEqualTo(SECRET);
        }
        try (RequestStore store = RequestStore.builder().ledger(stored).open()) {
            assertThat(store.isProcessed("r")).isTrue();
            assertThatThrownBy(() -> store.result("r"))
                    .isInstanceOf(LedgerUnreadableException.class)
                    .hasMessageContaining("is sealed with key 'a'");
        }
    }
}
