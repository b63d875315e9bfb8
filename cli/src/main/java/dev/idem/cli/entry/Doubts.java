package dev.idem.cli.entry;

import dev.idem.Entry;
import dev.idem.cli.recorded.CommandDoubtful;
import dev.idem.cli.recorded.CommandFailed;
import dev.idem.seal.SealedLedger;
import dev.idem.spi.Doubt;
import dev.idem.spi.Failure;
import dev.idem.spi.ImportedRun;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The reason of a doubt or a failure, in the terms of the command line. */
public final class Doubts {
    /** The type of an imported doubt; its message is the original reason. */
    private static final String IMPORTED = "imported";

    private Doubts() {}

    public static String reason(Entry entry, Doubt doubt) {
        Failure failure = entry.failure();
        String message = message(entry);
        if (failure == null || message == null) {
            return doubt.reason();
        } else if (failure.type().equals(CommandDoubtful.class.getName())) {
            return "the command ended with " + end(failure);
        }
        return failure.type().equals(IMPORTED) ? message : doubt.reason();
    }

    /** The time at which the doubt began, here or in the ledger that the entry was imported from. */
    public static Instant since(Entry entry, Doubt doubt) {
        ImportedRun there = ImportedRun.of(entry.labels());
        return there != null && there.ended().isBefore(doubt.since()) ? there.ended() : doubt.since();
    }

    /** The time at which it ran, here or in the ledger that the entry was imported from. */
    public static Instant ran(Entry entry) {
        ImportedRun there = ImportedRun.of(entry.labels());
        return there == null ? entry.times().claimed() : there.began();
    }

    /** The message of the attempt that failed or is in doubt; null if there is none, or it is sealed. */
    static @Nullable String message(Entry entry) {
        Failure failure = entry.failure();
        return failure == null
                        || failure.message().isEmpty()
                        || SealedLedger.keyIdOf(entry).isPresent()
                ? null
                : failure.message();
    }

    /** The end of a command: the first line of the message. */
    static String end(Failure failure) {
        return failure.message().lines().findFirst().orElse("");
    }

    /** The kept details of a command in doubt: its words and the last lines of its output. */
    static List<String> about(Entry entry) {
        Failure failure = entry.failure();
        return failure != null
                        && isCommandEnd(failure.type())
                        && SealedLedger.keyIdOf(entry).isEmpty()
                ? failure.message().lines().skip(1).toList()
                : List.of();
    }

    /** Whether a failure's type only means that a command ended; its message says how. */
    static boolean isCommandEnd(String type) {
        return type.equals(CommandDoubtful.class.getName()) || type.equals(CommandFailed.class.getName());
    }
}
