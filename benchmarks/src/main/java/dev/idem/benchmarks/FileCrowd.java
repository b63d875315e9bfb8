package dev.idem.benchmarks;

import dev.idem.Idem;
import dev.idem.Operation;
import dev.idem.lab.TempFolder;
import java.util.Arrays;
import java.util.List;

/** Sixty-four threads on a ledger in a file, beside one thread that writes every row through by itself. */
abstract sealed class FileCrowd implements Scenario {
    private static final int THREADS = 64;
    private static final int WRITES_PER_CALL = 2;

    private final String ledger;
    private final String single;
    private final String grouped;
    private final Budget budget;

    private FileCrowd(String ledger, String single, String grouped, Budget budget) {
        this.ledger = ledger;
        this.single = single;
        this.grouped = grouped;
        this.budget = budget;
    }

    /** Beside bare commits. */
    static final class OnSqlite extends FileCrowd {
        OnSqlite() {
            super("SQLite", "a bare commit each", "bare rows, 64 in a commit", Budget.GROUPED_SQLITE);
        }

        @Override
        public List<Row> run(Effort effort) throws Exception {
            try (TempFolder folder = new TempFolder(effort.folder());
                    Idem idem = Ledgers.inSqlite(folder.file("idem.db"));
                    BareSqlite bare = new BareSqlite(folder.file("bare.db"))) {
                return compare(effort, idem, bare::insert);
            }
        }
    }

    /** Beside bare appends, each with its sync. */
    static final class OnJsonl extends FileCrowd {
        OnJsonl() {
            super("JSONL", "a bare append and sync each", "bare lines, 64 in a sync", Budget.GROUPED_JSONL);
        }

        @Override
        public List<Row> run(Effort effort) throws Exception {
            try (TempFolder folder = new TempFolder(effort.folder());
                    Idem idem = Ledgers.inJsonl(folder.file("idem.jsonl"));
                    BareAppend bare = new BareAppend(folder.file("bare.jsonl"))) {
                return compare(effort, idem, keys -> bare.append(keys, "in_progress"));
            }
        }
    }

    @Override
    public final String name() {
        return ledger + ", 64 threads";
    }

    /** Writes rows for these keys, and writes them through once. */
    interface Floor {
        void write(String[] keys) throws Exception;
    }

    final List<Row> compare(Effort effort, Idem idem, Floor floor) throws Exception {
        Operation<String> charge = idem.operation("charge").returning(String.class);
        int each = Math.max(1, effort.calls() / 10);
        double[] worst = new double[effort.warmUpRounds() + effort.rounds()];
        try (Crowd crowd = new Crowd(THREADS)) {
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
                    round -> rate(floor, "single-" + round, effort.calls(), 1));
            double together = Turns.take(
                            effort,
                            round -> rate(floor, "grouped-" + round, effort.calls() / THREADS + 1, THREADS),
                            round -> 1)
                    .median(Turns::measured);
            return List.of(
                    Row.withoutPromise(
                            ledger + ", writes of first calls, 64 threads | " + single,
                            Units.rate(turns.median(Turns::measured)),
                            Units.rate(turns.median(Turns::floor)),
                            Units.times(turns.ratios())),
                    Row.of(
                            ledger + ", writes of first calls, 64 threads | " + grouped,
                            Units.rate(turns.median(Turns::measured)),
                            Units.rate(together),
                            Units.format("%.0f %%", 100 * turns.median(Turns::measured) / together),
                            budget,
                            turns.median(Turns::measured) / together),
                    longest(effort, worst));
        }
    }

    private Row longest(Effort effort, double[] worst) {
        double longest = Units.quantile(Arrays.copyOfRange(worst, effort.warmUpRounds(), worst.length), 1);
        return Row.withoutPromise(
                ledger + ", longest of all first calls, 64 threads",
                Units.time(longest),
                "",
                "a round's longest: " + Units.time(Units.quantile(worst, 0.5)));
    }

    /** Rows a second, so many in a write. */
    private static double rate(Floor floor, String prefix, int writes, int rows) throws Exception {
        String[] keys = new String[rows];
        long start = System.nanoTime();
        for (int i = 0; i < writes; i++) {
            for (int k = 0; k < rows; k++) {
                keys[k] = prefix + "-" + i + "-" + k;
            }
            floor.write(keys);
        }
        return writes * rows * 1e9 / (System.nanoTime() - start);
    }
}
