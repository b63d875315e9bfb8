package dev.idem.gauntlet;

import dev.idem.lab.TempFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * The time of a contender beside the floors of its store, with the number of runs: if a library runs twice, its time
 * means nothing. They take turns, so that a busy machine slows all.
 *
 * @param first a call with a new key, one thread
 * @param replay a call with a complete key, one thread
 * @param crowd until eight callers of one new key have their answers; the work takes 1 ms
 * @param runs of the work in the crowds, for each key
 */
record Speed(Time first, Time replay, Time crowd, double runs) {
    private static final int CALLERS = 8;
    private static final int CROWDS = 40;
    private static final int KNOWN = 100;
    /** The minimum number of rounds; more only within the time limit. */
    private static final int FEWEST = 5;

    private static final long LONGEST = TimeUnit.SECONDS.toNanos(10);
    private static final int ALL = Integer.MAX_VALUE;
    /** The maximum number of calls in a round: millions of entries in memory would measure garbage collection. */
    private static final int MOST = 20_000;

    /**
     * Microseconds of a contender and of its floors, each the median of its rounds.
     *
     * @param byHand absent if a ledger is more than statements
     */
    record Time(double micros, double naive, OptionalDouble byHand) {
        double timesNaive() {
            return micros / naive;
        }

        OptionalDouble timesByHand() {
            return byHand.isPresent() ? OptionalDouble.of(micros / byHand.getAsDouble()) : byHand;
        }
    }

    static Speed of(Field.Entry entry, Field field, Path parent, Pace pace) throws Exception {
        Field.Floors floors = field.floorsOf(entry);
        try (Lane own = new Lane(entry, field, parent, pace);
                Lane naive = new Lane(floors.naive(), field, parent, pace);
                Lane hand =
                        floors.byHand().isPresent() ? new Lane(floors.byHand().get(), field, parent, pace) : null) {
            List<Lane> lanes = hand == null ? List.of(own, naive) : List.of(own, naive, hand);
            Time first = inTurns(pace.rounds(), lanes, lane -> calls(lane.arena(), "k", ALL));
            lanes.forEach(lane -> know(lane.arena()));
            Time replay = inTurns(pace.rounds(), lanes, lane -> calls(lane.arena(), "known", KNOWN));
            Tally tally = new Tally();
            Time crowd = inTurns(CROWDS, lanes, lane -> perCrowd(lane.arena(), lane.equals(own) ? tally : new Tally()));
            return new Speed(first, replay, crowd, tally.runs.get() / (double) tally.keys.get());
        }
    }

    /** A contender or a floor, with a folder of its own. */
    private record Lane(TempFolder folder, Arena arena) implements AutoCloseable {
        Lane(Field.Entry entry, Field field, Path parent, Pace pace) throws Exception {
            this(entry, field, new TempFolder(parent), pace);
        }

        private Lane(Field.Entry entry, Field field, TempFolder folder, Pace pace) throws Exception {
            this(folder, new Arena(entry.entrant(), folder.path(), pace, field.servers()));
        }

        @Override
        public void close() throws IOException {
            arena.close();
            folder.close();
        }
    }

    private static void know(Arena arena) {
        for (int i = 0; i < KNOWN; i++) {
            answered(arena, "known" + i);
        }
    }

    /** Fails if the call is not answered: the time of a failure means nothing. */
    private static void answered(Arena arena, String key) {
        if (arena.call(key, () -> "done") instanceof Answer.Refused refused) {
            throw new IllegalStateException(arena.contender().title() + " refused " + key, refused.cause());
        }
    }

    /** Warms up, and returns the measurement of one round. */
    private static Callable<Double> calls(Arena arena, String prefix, int different) {
        AtomicInteger keys = new AtomicInteger();
        Duration warmUp = arena.pace().warmUp();
        int most = (int)
                Math.min(ALL, MOST * (warmUp.toNanos() / arena.pace().round().toNanos() + 1));
        microseconds(arena, warmUp, most, prefix, keys, different);
        return () -> microseconds(arena, arena.pace().round(), MOST, prefix, keys, different);
    }

    private static double microseconds(
            Arena arena, Duration time, int most, String prefix, AtomicInteger keys, int different) {
        long start = System.nanoTime();
        long spent;
        int calls = 0;
        do {
            for (int i = 0; i < 10; i++) {
                answered(arena, prefix + keys.getAndIncrement() % different);
            }
            calls += 10;
            spent = System.nanoTime() - start;
        } while (spent < time.toNanos() && calls < most);
        return spent / 1e3 / calls;
    }

    /** The number of keys that crowds have called, and of the runs. */
    private static final class Tally {
        private final AtomicInteger keys = new AtomicInteger();
        private final AtomicInteger runs = new AtomicInteger();
    }

    private static Callable<Double> perCrowd(Arena arena, Tally tally) {
        Work work = () -> {
            tally.runs.incrementAndGet();
            Arena.take(1);
            return "done";
        };
        return () -> {
            String key = "crowd" + tally.keys.incrementAndGet();
            long start = System.nanoTime();
            arena.together(CALLERS, () -> arena.call(key, work));
            return (System.nanoTime() - start) / 1e3;
        };
    }

    private static Time inTurns(int rounds, List<Lane> lanes, Function<Lane, Callable<Double>> measure)
            throws Exception {
        List<Callable<Double>> each = lanes.stream().map(measure).toList();
        List<List<Double>> micros = new ArrayList<>();
        lanes.forEach(lane -> micros.add(new ArrayList<>()));
        long start = System.nanoTime();
        for (int round = 0; round < rounds && (round < FEWEST || System.nanoTime() - start < LONGEST); round++) {
            for (int lane = 0; lane < lanes.size(); lane++) {
                micros.get(lane).add(each.get(lane).call());
            }
        }
        return new Time(
                median(micros.get(0)),
                median(micros.get(1)),
                lanes.size() > 2 ? OptionalDouble.of(median(micros.get(2))) : OptionalDouble.empty());
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
    }
}
