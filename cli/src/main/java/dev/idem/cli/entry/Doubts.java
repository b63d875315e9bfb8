package dev.idem.cli.entry;

import dev.idem.cli.recorded.CommandDoubtful;
import dev.idem.cli.recorded.CommandFailed;
import dev.idem.entry.Doubt;
import dev.idem.entry.Entry;
import dev.idem.entry.Failure;
import dev.idem.seal.SealedLedger;
import java.util.List;

/** Why an entry is in doubt, in the words of the command line. */
public final class Doubts {
    private Doubts() {}

    public static String reason(Entry entry, Doubt doubt) {
        Failure failure = entry.failure();
        // The message of our own exception begins with a short phrase without payloads; sealed, it does not.
        return failure != null
                        && failure.type().equals(CommandDoubtful.class.getName())
                        && SealedLedger.keyIdOf(entry).isEmpty()
                ? "the command ended with " + end(failure)
                : doubt.reason();
    }

    /** How a command ended: the first line of the message. */
    static String end(Failure failure) {
        return failure.message().lines().findFirst().orElse("");
    }

    /** What is kept of a command that ended in doubt: its words and the last lines that it wrote. */
    static List<String> about(Entry entry) {
        Failure failure = entry.failure();
        return failure != null
                        && isCommandEnd(failure.type())
                        && SealedLedger.keyIdOf(entry).isEmpty()
                ? failure.message().lines().skip(1).toList()
                : List.of();
    }

    /** Whether a failure's type says no more than that a command ended; its message says how. */
    static boolean isCommandEnd(String type) {
        return type.equals(CommandDoubtful.class.getName()) || type.equals(CommandFailed.class.getName());
    }
}
