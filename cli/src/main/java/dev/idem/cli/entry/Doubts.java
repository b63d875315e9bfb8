package dev.idem.cli.entry;

import dev.idem.cli.recorded.CommandDoubtful;
import dev.idem.cli.recorded.CommandFailed;
import dev.idem.entry.Doubt;
import dev.idem.entry.Entry;
import dev.idem.entry.Failure;
import dev.idem.seal.SealedLedger;

/** Why an entry is in doubt, in the words of the command line. */
public final class Doubts {
    private Doubts() {}

    public static String reason(Entry entry, Doubt doubt) {
        Failure failure = entry.failure();
        // The message of our own exception is a short phrase without payloads; sealed, it is no phrase.
        return failure != null
                        && failure.type().equals(CommandDoubtful.class.getName())
                        && SealedLedger.keyIdOf(entry).isEmpty()
                ? "the command ended with " + failure.message()
                : doubt.reason();
    }

    /** Whether a failure's type says no more than that a command ended; its message says how. */
    static boolean isCommandEnd(String type) {
        return type.equals(CommandDoubtful.class.getName()) || type.equals(CommandFailed.class.getName());
    }
}
