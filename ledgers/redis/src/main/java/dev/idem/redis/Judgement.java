package dev.idem.redis;

import dev.idem.entry.Entry;
import dev.idem.entry.ProcessRef;
import dev.idem.ledger.Processes;
import java.nio.charset.StandardCharsets;

/**
 * What this host knows of an entry's processes and the server can't: no child of it lives, and its owner may have
 * ended. It names the entry it is about by its fence and its length, which a further mark changes.
 */
final class Judgement {
    private static final byte[] ENDED = {Layout.ENDED};
    private static final byte[] LAPSED = {Layout.LAPSED};

    private Judgement() {}

    /** Two arguments for a script. */
    static byte[][] of(Entry found, int length, Processes processes) {
        ProcessRef owner = found.tenure().owner().process();
        boolean ended = owner != null && processes.of(owner) == Processes.Life.DEAD;
        byte[] fence = Digits.of(found.fence().number(), Digits.TIME);
        String named = new String(fence, StandardCharsets.US_ASCII) + length;
        return new byte[][] {named.getBytes(StandardCharsets.US_ASCII), ended ? ENDED : LAPSED};
    }
}
