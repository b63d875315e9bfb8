package dev.idem.gauntlet;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * How long a contender takes, with the number of runs beside it: a library that runs twice has no speed.
 *
 * @param first microseconds of a call with a new key, one thread
 * @param replay microseconds of a call with a key that is done, one thread
 * @param crowd microseconds until eight callers of one new key have their answers; the work takes 1 ms
 * @param runs of the work in the crowds, for each key
 */
record Speed(double first, double replay, double crowd, double runs) {
    private static final int CALLERS = 8;
    private static final int CROWDS = 40;
    private static final int KNOWN = 100;

    static Speed of(Field.Entry entry, Path parent, Pace pace) throws Exception {
        try (TempFolder folder = new TempFolder(parent);
                Arena arena = new Arena(entry.entrant(), folder.file(""), pace)) {
            AtomicInteger keys = new AtomicInteger();
            double first = median(pace, () -> arena.call("k" + keys.incrementAndGet(), () -> "done"));
            for (int i = 0; i < KNOWN; i++) {
                arena.call("known" + i, () -> "done");
            }
            double replay = median(pace, () -> arena.call("known" + keys.incrementAndGet() % KNOWN, () -> "done"));
            AtomicInteger runs = new AtomicInteger();
            Work work = () -> {
                runs.incrementAndGet();
                Arena.take(1);
                return "done";
            };
            double[] crowds = new double[CROWDS];
            for (int i = 0; i < CROWDS; i++) {
                String key = "crowd" + i;
                long start = System.nanoTime();
                arena.together(CALLERS, () -> arena.call(key, work));
                crowds[i] = (System.nanoTime() - start) / 1e3;
            }
            Arrays.sort(crowds);
            return new Speed(first, replay, crowds[CROWDS / 2], runs.get() / (double) CROWDS);
        }
    }

    private static double median(Pace pace, Supplier<Answer> call) {
        microsecondsOf(call, pace.warmUp());
        double[] rounds = new double[pace.rounds()];
        for (int i = 0; i < rounds.length; i++) {
            rounds[i] = microsecondsOf(call, pace.round());
        }
        Arrays.sort(rounds);
        return rounds[rounds.length / 2];
    }

    private static double microsecondsOf(Supplier<Answer> call, Duration time) {
        long start = System.nanoTime();
        long spent;
        int calls = 0;
        do {
            for (int i = 0; i < 10; i++) {
                Answer unused = call.get();
            }
            calls += 10;
            spent = System.nanoTime() - start;
        } while (spent < time.toNanos());
        return spent / 1e3 / calls;
    }
}
