package dev.idem.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.internal.key.Fingerprint;
import dev.idem.spi.Fingerprints;
import org.junit.jupiter.api.Test;

class GivenKeyFingerprintsTest {
    private final GivenKeyFingerprints kept = new GivenKeyFingerprints();

    @Test
    void operationsThatShareASlotKeepTheirOwnFingerprints() {
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 200; i++) {
                same("default", "operation-" + i, 1);
                same("tenant-" + i, "charge", 1);
                same("default", "charge", i + 1);
            }
        }
        // Both texts have the same hash.
        same("Aa", "BB", 1);
        same("BB", "Aa", 1);
        same("Aa", "Aa", 1);
    }

    @Test
    void theDigestOfAnOperationIsKept() {
        assertThat(kept.of("default", "charge", 1)).isSameAs(kept.of("default", "charge", 1));
    }

    private void same(String scope, String operation, int occurrence) {
        String identity = Fingerprint.of(scope, operation, null, occurrence);
        assertThat(kept.of(scope, operation, occurrence)).isEqualTo(new Fingerprints(identity, null));
    }
}
