package dev.idem.benchmarks;

import dev.idem.Idem;
import dev.idem.Operation;
import dev.idem.Policy;
import dev.idem.spi.browse.Browsable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;

/**
 * The entries whose size is measured: keys of 36 characters in no order, as UUIDs are, an operation of six, a result of
 * 100 bytes of JSON, no labels.
 */
final class Sample {
    static final int THREADS = 64;

    private static final String RESULT = "r".repeat(98);
    private static final int PURGE_BATCH = 1_000;

    private Sample() {}

    /** How many calls each thread makes for about this share of the effort. */
    static int each(Effort effort, int share) {
        return Math.max(1, effort.rounds() * effort.calls() / share);
    }

    /** Completes as many keys as all threads make calls; gives calls a second. */
    static double fill(Idem idem, Crowd crowd, String round, int each) throws Exception {
        return fill(idem.operation("charge").returning(String.class), crowd, round, each);
    }

    private static double fill(Operation<String> charge, Crowd crowd, String round, int each) throws Exception {
        return crowd.run(
                        each,
                        (thread, number) ->
                                charge.key(key(round, thread, number)).run(call -> RESULT))
                .perSecond();
    }

    /** Completes entries that expire at once, and removes them in batches; gives entries a second. */
    static double purge(Idem idem, Crowd crowd, int each) throws Exception {
        fill(
                idem.operation("charge")
                        .returning(String.class)
                        .policy(Policy.unset().retention(Duration.ofMillis(1))),
                crowd,
                "purged",
                each);
        Browsable entries = idem.ledger().as(Browsable.class).orElseThrow();
        long start = System.nanoTime();
        int removed = 0;
        int last;
        do {
            last = entries.purge(PURGE_BATCH);
            removed += last;
        } while (last > 0);
        return removed * 1e9 / (System.nanoTime() - start);
    }

    private static String key(String round, int thread, int number) {
        return UUID.nameUUIDFromBytes((round + thread + '-' + number).getBytes(StandardCharsets.US_ASCII))
                .toString();
    }

    /** The bytes that this process has written; 0 if the system does not report it. */
    static long written() throws IOException {
        Path account = Path.of("/proc/self/io");
        if (!Files.isReadable(account)) {
            return 0;
        }
        return Files.readAllLines(account).stream()
                .filter(line -> line.startsWith("wchar: "))
                .mapToLong(line -> Long.parseLong(line.substring("wchar: ".length())))
                .findFirst()
                .orElse(0);
    }

    /** The used heap after garbage collection. */
    static long heap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    static Row row(String path, double bytes) {
        return Row.withoutPromise(path, Units.format("%,.0f bytes", bytes), "", "");
    }

    static Row rate(String path, double perSecond) {
        return Row.withoutPromise(path, Units.rate(perSecond), "", "");
    }
}
