package dev.idem.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The signals that child processes receive: they inherit ignored signals from this process. */
public final class HeardSignals {
    private static final Map<String, Integer> NUMBERS = Map.of("HUP", 1, "INT", 2, "TERM", 15);
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String IGNORED = "SigIgn:";

    private HeardSignals() {}

    /** Skips the case if the signal is ignored, as SIGINT is in background jobs of a shell. */
    public static void assume(String signal) {
        assumeTrue(heard(signal), "SIG" + signal + " is ignored here, as in the background of a shell");
    }

    private static boolean heard(String signal) {
        if (!Files.isReadable(STATUS)) {
            return true;
        }
        try {
            long ignored = Files.readAllLines(STATUS).stream()
                    .filter(line -> line.startsWith(IGNORED))
                    .mapToLong(line -> Long.parseUnsignedLong(
                            line.substring(IGNORED.length()).strip(), 16))
                    .findFirst()
                    .orElse(0);
            return (ignored >>> (NUMBERS.getOrDefault(signal, 1) - 1) & 1) == 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
