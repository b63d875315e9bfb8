package dev.idem.agent.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.InDoubtException;
import dev.idem.NotExecutedException;
import dev.idem.Operation;
import dev.idem.spi.Owner;
import dev.idem.spi.store.MemoryLedger;
import dev.idem.testkit.EngineCase;
import dev.idem.testkit.FaultyLedger;
import dev.idem.testkit.FaultyLedger.Point;
import dev.idem.testkit.Halted;
import dev.idem.testkit.LedgerFixture;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every provider gets its key in its own form, and its memory decides what may be run again. */
class ProviderTest extends EngineCase {
    private static final Address GIVEN = new Address("order-7", "charge", "req-001");

    @Override
    protected LedgerFixture fixture() {
        return LedgerFixture.of(MemoryLedger::new);
    }

    static List<Provider> withKeys() {
        return Provider.known().stream()
                .filter(provider -> provider.place() != KeyPlace.NONE)
                .toList();
    }

    static List<Provider> withoutKeys() {
        return Provider.known().stream()
                .filter(provider -> provider.place() == KeyPlace.NONE)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("withKeys")
    void aKeyFitsAndIsTheSameAtEveryAttempt(Provider provider) {
        String key = provider.keyOf(GIVEN);

        assertThat(key).hasSizeBetween(32, provider.longest()).matches("[!-~]+");
        assertThat(provider.keyOf(GIVEN)).isEqualTo(key);
    }

    @ParameterizedTest
    @MethodSource("withKeys")
    void otherOperationsHaveOtherKeysEvenIfTheirsAreTheSame(Provider provider) {
        Set<String> keys = new HashSet<>();
        for (String scope : List.of("order-7", "order-8")) {
            for (String operation : List.of("charge", "refund")) {
                for (String key : List.of("req-001", "x".repeat(255), "x".repeat(254) + "y")) {
                    keys.add(provider.keyOf(new Address(scope, operation, key)));
                }
            }
        }
        assertThat(keys).hasSize(12);
    }

    @ParameterizedTest
    @MethodSource("withKeys")
    void aLongKeyIsDerivedAndNeverCut(Provider provider) {
        String one = provider.fit("k".repeat(300) + "1");
        String other = provider.fit("k".repeat(300) + "2");

        assertThat(one).isNotEqualTo(other).hasSizeLessThanOrEqualTo(provider.longest());
    }

    @ParameterizedTest
    @MethodSource("withoutKeys")
    void aProviderWithoutKeysSaysWhatToDoInstead(Provider provider) {
        assertThat(provider.remembers()).isEmpty();
        assertThatThrownBy(() -> provider.keyOf(GIVEN))
                .isInstanceOf(NotExecutedException.class)
                .hasMessageContaining(provider.name())
                .hasMessageContaining("probe");
        assertThatThrownBy(() -> provider.remembering(Duration.ofHours(1))).isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @MethodSource("withKeys")
    void aGivenKeyThatLooksDerivedIsNotTrustedToBeUnique(Provider provider) {
        String looksDerived = "idem_0123456789abcdef0123456789abcdef";
        Set<String> keys = new HashSet<>();
        for (String scope : List.of("acme", "globex")) {
            for (String operation : List.of("charge", "refund")) {
                keys.add(provider.keyOf(new Address(scope, operation, looksDerived)));
            }
        }

        assertThat(keys).hasSize(4).doesNotContain(looksDerived);
    }

    @Test
    void theKeyOfAUuidProviderIsOfVersion8() {
        UUID key = UUID.fromString(Provider.AWS.keyOf(GIVEN));

        assertThat(key.version()).isEqualTo(8);
        assertThat(key.variant()).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("withoutKeys")
    void toGuardWithAProviderWithoutKeysFailsWhenItIsDeclared(Provider provider) {
        assertThatThrownBy(() -> charge(idem()).policy(provider.policy()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(provider.name())
                .hasMessageContaining("probe");
    }

    @Test
    void toAskForAKeyThatThereIsNotLeavesNoDoubt() {
        assertThatThrownBy(() -> charge(idem())
                        .run(call -> Provider.SENDGRID.keyFor(call).value()))
                .isInstanceOf(NotExecutedException.class)
                .hasMessageContaining("SendGrid");

        assertThat(charge(idem()).run(call -> "sent without a key")).isEqualTo("sent without a key");
    }

    @Test
    void aKeyOfYourOwnIsTakenAsItIsWhereItFits() {
        assertThat(Provider.STRIPE.fit("order-7")).isEqualTo("order-7");
        assertThat(Provider.AMAZON_PAY.fit("order/7")).matches("[0-9a-f]{32}");
        assertThat(Provider.SHOPIFY.fit("4f5b6ebf-143c-4da5-8d0f-fb8553bfd85d"))
                .isEqualTo("4f5b6ebf-143c-4da5-8d0f-fb8553bfd85d");
        assertThat(Provider.STRIPE.fit("")).startsWith("idem_");
    }

    @Test
    void theFormsNeverChange() {
        assertThat(Provider.STRIPE.keyOf(GIVEN)).isEqualTo("idem_55ad60aa1300a5990a6db82f413dc96c");
        assertThat(Provider.AMAZON_PAY.keyOf(GIVEN)).isEqualTo("55ad60aa1300a5990a6db82f413dc96c");
        assertThat(Provider.AWS.keyOf(GIVEN)).isEqualTo("55ad60aa-1300-8599-8a6d-b82f413dc96c");
    }

    @Test
    void aFormTooShortForADerivedKeyIsRefused() {
        assertThatThrownBy(() -> Provider.header("Tiny", "Key", 31, Alphabet.WORD, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("needs 32 characters");
    }

    @Test
    void theKeyGoesWhereItBelongs() {
        Map<String, String> headers = new HashMap<>();
        charge(idem()).run(call -> {
            Provider.STRIPE.keyFor(call).into(headers::put);
            return "sent";
        });

        assertThat(headers).containsOnlyKeys("Idempotency-Key");
        assertThat(headers.get("Idempotency-Key")).isEqualTo(Provider.STRIPE.keyOf(KEY));
    }

    @Test
    void whileTheProviderRemembersALostResponseIsRunAgainAndAfterThatItIsInDoubt() {
        crash(Provider.STRIPE);
        assertThat(charge(idem()).policy(Provider.STRIPE.policy()).run(call -> "again"))
                .isEqualTo("again");
    }

    @Test
    void ourEntryOutlivesTheirMemoryAndIsInDoubt() {
        crash(Provider.STRIPE);
        pass(Duration.ofHours(24));
        assertThatThrownBy(() -> charge(idem()).policy(Provider.STRIPE.policy()).run(call -> "again"))
                .isInstanceOf(InDoubtException.class);
    }

    @Test
    void whereNobodySaysHowLongNothingIsPresumedUnlessYouSayIt() {
        crash(Provider.SQUARE);
        assertThatThrownBy(() -> charge(idem()).policy(Provider.SQUARE.policy()).run(call -> "again"))
                .isInstanceOf(InDoubtException.class);
        Provider mine = Provider.SQUARE.remembering(Duration.ofHours(1));
        assertThat(charge(idem()).policy(mine.policy()).run(call -> "again")).isEqualTo("again");
    }

    private void crash(Provider provider) {
        Owner dying = processes().startOwner();
        FaultyLedger faulty =
                new FaultyLedger(ledger()).onHalt(() -> processes().kill(dying)).halt(Point.BEFORE_SETTLE);
        Operation<String> operation = charge(idem(faulty, dying)).policy(provider.policy());
        assertThatThrownBy(() -> operation.run(call -> "response lost")).isInstanceOf(Halted.class);
    }
}
