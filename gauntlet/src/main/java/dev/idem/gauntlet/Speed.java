package dev.idem.gauntlet;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How long a contender takes beside the floor on its store, with the number of runs: a library that runs twice has no
 * speed. Contender and floor take turns, so that a busy machine slows both.
 *
 * @param first a call with a new key, one thread
 * @param replay a call with a key that is done, one thread
 * @param crowd until eight callers of one new key have their answers; the work takes 1 ms
 * @param runs of the work in the crowds, for each key
 */
record Speed(Time first, Time replay, Time crowd, double runs) {
    private static final int CALLERS = 8;
    private static final int CROWDS = 40;
    private static final int KNOWN = 100;
    private static final int ALL = Integer.MAX_VALUE;

    /** Microseconds of a contender and of its floor, each the median of its rounds. */
    record Time(double micros, double floor) {
        double ratio() {
            return micros / floor;
        }
    }

    static Speed of(Field.Entry entry, Field.Entry floor, Path parent, Pace pace) throws Exception {
        try (TempFolder folder = new TempFolder(parent);
                TempFolder below = new TempFolder(parent);
                Arena arena = new Arena(entry.entrant(), folder.file(""), pace);
                Arena under = new Arena(floor.entrant(), below.file(""), pace)) {
            int rounds = pace.rounds();
            Time first = inTurns(rounds, calls(arena, "k", ALL), calls(under, "k", ALL));
            know(arena);
            know(under);
            Time replay = inTurns(rounds, calls(arena, "known", KNOWN), calls(under, "known", KNOWN));
            AtomicInteger runs = new AtomicInteger();
            Time crowd = inTurns(CROWDS, perCrowd(arena, runs), perCrowd(under, new AtomicInteger()));
            return new Speed(first, replay, crowd, runs.get() / (double) CROWDS);
        }
    }

    private static void know(Arena arena) {
        for (int i = 0; i < KNOWN; i++) {
            arena.call("known" + i, () -> "done");
        }
    }

    /** Warms up, and gives what measures one round. */
    private static Callable<Double> calls(Arena arena, String prefix, int different) {
        AtomicInteger keys = new AtomicInteger();
        microseconds(arena, arena.pace().warmUp().toNanos(), prefix, keys, different);
        return () -> microseconds(arena, arena.pace().round().toNanos(), prefix, keys, different);
    }

    private static double microseconds(Arena arena, long nanos, String prefix, AtomicInteger keys, int different) {
        long start = System.nanoTime();
        long spent;
        int calls = 0;
        do {
            for (int i = 0; i < 10; i++) {
                arena.call(prefix + keys.getAndIncrement() % different, () -> "done");
            }
            calls += 10;
            spent = System.nanoTime() - start;
        } while (spent < nanos);
        return spent / 1e3 / calls;
    }

    private static Callable<Double> perCrowd(Arena arena, AtomicInteger runs) {
        AtomicInteger keys = new AtomicInteger();
        Work work = () -> {
            runs.incrementAndGet();
            Arena.take(1);
            return "done";
        };
        return () -> {
            String key = "crowd" + keys.incrementAndGet();
            long start = System.nanoTime();
            arena.together(CALLERS, () -> arena.call(key, work));
            return (System.nanoTime() - start) / 1e3;
        };
    }

    private static Time inTurns(int rounds, Callable<Double> contender, Callable<Double> floor) throws Exception {
        double[] own = new double[rounds];
        double[] under = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            own[i] = contender.call();
            under[i] = floor.call();
        }
        Arrays.sort(own);
        Arrays.sort(under);
        return new Time(own[rounds / 2], under[rounds / 2]);
    }
}
