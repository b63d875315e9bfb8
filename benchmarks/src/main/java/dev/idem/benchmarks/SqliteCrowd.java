package dev.idem.benchmarks;

import dev.idem.Idem;
import dev.idem.Operation;
import dev.idem.lab.TempFolder;
import java.util.Arrays;
import java.util.List;

/** Sixty-four threads on a SQLite file, beside one thread that commits every write by itself. */
final class SqliteCrowd implements Scenario {
    private static final int THREADS = 64;
    private static final int WRITES_PER_CALL = 2;
    private static final double LEAST_TIMES_SINGLE_COMMITS = 2;
    private static final double LONGEST_WAIT = 100e6;

    @Override
    public String name() {
        return "SQLite, 64 threads";
    }

    @Override
    public List<Row> run(Effort effort) throws Exception {
        try (TempFolder folder = new TempFolder(effort.folder());
                Idem idem = Ledgers.inSqlite(folder.file("idem.db"));
                BareSqlite bare = new BareSqlite(folder.file("bare.db"));
                Crowd crowd = new Crowd(THREADS)) {
            Operation<String> charge = idem.operation("charge").returning(String.class);
            int each = Math.max(1, effort.calls() / 10);
            double[] worst = new double[effort.warmUpRounds() + effort.rounds()];
            Turns turns = Turns.take(
                    effort,
                    round -> {
                        Latencies calls = crowd.run(
                                each,
                                (thread, number) -> charge.key(round + "-" + thread + "-" + number)
                                        .run(call -> "ok"));
                        worst[round] = calls.worst();
                        return calls.perSecond() * WRITES_PER_CALL;
                    },
                    round -> singleCommits(bare, round, effort.calls()));
            double grouped = Turns.take(
                            effort, round -> groupedCommits(bare, round, effort.calls() / THREADS + 1), round -> 1)
                    .median(Turns::measured);
            double longest = Units.quantile(Arrays.copyOfRange(worst, effort.warmUpRounds(), worst.length), 1);
            double usual = Units.quantile(worst, 0.5);
            return List.of(
                    new Row(
                            "SQLite, writes of first calls, 64 threads | a bare commit each",
                            Units.rate(turns.median(Turns::measured)),
                            Units.rate(turns.median(Turns::floor)),
                            Units.times(turns.ratios()),
                            "≥ 2 ×",
                            Row.Verdict.of(turns.median(Turns::ratios) >= LEAST_TIMES_SINGLE_COMMITS)),
                    Row.told(
                            "SQLite, bare rows, 64 in a commit (what grouping can give)",
                            "",
                            Units.rate(grouped),
                            Units.times(grouped / turns.median(Turns::floor))),
                    new Row(
                            "SQLite, longest of all first calls, 64 threads",
                            Units.time(longest),
                            "",
                            "a round's longest: " + Units.time(usual),
                            "≤ 100 ms",
                            Row.Verdict.of(longest <= LONGEST_WAIT)));
        }
    }

    private static double singleCommits(BareSqlite bare, int round, int commits) throws Exception {
        long start = System.nanoTime();
        for (int i = 0; i < commits; i++) {
            bare.insert("single-" + round + "-" + i);
        }
        return commits * 1e9 / (System.nanoTime() - start);
    }

    private static double groupedCommits(BareSqlite bare, int round, int commits) throws Exception {
        String[] keys = new String[THREADS];
        long start = System.nanoTime();
        for (int i = 0; i < commits; i++) {
            for (int k = 0; k < THREADS; k++) {
                keys[k] = "grouped-" + round + "-" + i + "-" + k;
            }
            bare.insert(keys);
        }
        return commits * THREADS * 1e9 / (System.nanoTime() - start);
    }
}
