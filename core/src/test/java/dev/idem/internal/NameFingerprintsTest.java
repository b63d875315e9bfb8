package dev.idem.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.entry.Address;
import dev.idem.entry.Fingerprints;
import dev.idem.key.Fingerprint;
import dev.idem.ledger.Ledger;
import dev.idem.ledger.Ledgers;
import org.junit.jupiter.api.Test;

class NameFingerprintsTest {
    /** More than are remembered, so that they take each other's places. */
    private static final int MANY = 1_000;

    @Test
    void eachScopeAndOperationHasItsOwnHoweverManyThereAre() {
        NameFingerprints names = new NameFingerprints();
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < MANY; i++) {
                assertThat(names.of("scope" + i, "charge")).isEqualTo(of("scope" + i, "charge"));
                assertThat(names.of("shop", "operation" + i)).isEqualTo(of("shop", "operation" + i));
            }
        }
    }

    @Test
    void aGivenKeyIsGuardedByItsScopeAndOperation() {
        try (Ledger ledger = Ledgers.open("memory:");
                Idem idem = Idem.builder().ledger(ledger).quiet().open()) {
            idem.operation("charge")
                    .scope("shop")
                    .key("k")
                    .returning(String.class)
                    .run(call -> "ok");

            assertThat(ledger.find(new Address("shop", "charge", "k"))
                            .orElseThrow()
                            .fingerprints())
                    .isEqualTo(of("shop", "charge"));
        }
    }

    private static Fingerprints of(String scope, String operation) {
        return new Fingerprints(Fingerprint.of(scope, operation, null), null);
    }
}
