package dev.idem.torture.subject;

import dev.idem.seal.SealKeys;
import dev.idem.seal.SealedLedger;
import dev.idem.spi.Ledger;
import java.util.Arrays;

/** Runs with an odd seed seal their results: engines alternate between two keys, and all of them read both. */
public final class Sealing {
    private Sealing() {}

    /** The ledger as an engine of the run sees it. */
    public static Ledger sealed(Ledger ledger, long seed, int engine) {
        if (seed % 2 == 0) {
            return ledger;
        }
        String own = engine % 2 == 0 ? "old" : "new";
        String other = engine % 2 == 0 ? "new" : "old";
        return new SealedLedger(ledger, SealKeys.of(own, key(own)).alsoReading(other, key(other)));
    }

    private static byte[] key(String id) {
        byte[] key = new byte[32];
        Arrays.fill(key, (byte) id.charAt(0));
        return key;
    }
}
