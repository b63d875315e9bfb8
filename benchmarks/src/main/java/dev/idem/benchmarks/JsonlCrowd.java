package dev.idem.benchmarks;

import dev.idem.Idem;
import dev.idem.Operation;
import dev.idem.lab.TempFolder;
import java.util.Arrays;
import java.util.List;

/** Sixty-four threads on a JSONL file, beside one thread that syncs every line by itself. */
final class JsonlCrowd implements Scenario {
    private static final int THREADS = 64;
    private static final int WRITES_PER_CALL = 2;
    private static final double LEAST_TIMES_SINGLE_SYNCS = 4;
    private static final double LONGEST_WAIT = 100e6;

    @Override
    public String name() {
        return "JSONL, 64 threads";
    }

    @Override
    public List<Row> run(Effort effort) throws Exception {
        try (TempFolder folder = new TempFolder(effort.folder());
                Idem idem = Ledgers.inJsonl(folder.file("idem.jsonl"));
                BareAppend bare = new BareAppend(folder.file("bare.jsonl"));
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
                    round -> singleSyncs(bare, round, effort.calls()));
            double grouped = Turns.take(
                            effort, round -> groupedSyncs(bare, round, effort.calls() / THREADS + 1), round -> 1)
                    .median(Turns::measured);
            double longest = Units.quantile(Arrays.copyOfRange(worst, effort.warmUpRounds(), worst.length), 1);
            double usual = Units.quantile(worst, 0.5);
            return List.of(
                    new Row(
                            "JSONL, writes of first calls, 64 threads | a bare append and sync each",
                            Units.rate(turns.median(Turns::measured)),
                            Units.rate(turns.median(Turns::floor)),
                            Units.times(turns.ratios()),
                            "≥ 4 ×",
                            Row.Verdict.of(turns.median(Turns::ratios) >= LEAST_TIMES_SINGLE_SYNCS)),
                    Row.told(
                            "JSONL, bare lines, 64 in a sync (what grouping can give)",
                            "",
                            Units.rate(grouped),
                            Units.times(grouped / turns.median(Turns::floor))),
                    new Row(
                            "JSONL, longest of all first calls, 64 threads",
                            Units.time(longest),
                            "",
                            "a round's longest: " + Units.time(usual),
                            "≤ 100 ms",
                            Row.Verdict.of(longest <= LONGEST_WAIT)));
        }
    }

    private static double singleSyncs(BareAppend bare, int round, int lines) throws Exception {
        long start = System.nanoTime();
        for (int i = 0; i < lines; i++) {
            bare.append("single-" + round + "-" + i, "in_progress");
        }
        return lines * 1e9 / (System.nanoTime() - start);
    }

    private static double groupedSyncs(BareAppend bare, int round, int syncs) throws Exception {
        String[] keys = new String[THREADS];
        long start = System.nanoTime();
        for (int i = 0; i < syncs; i++) {
            for (int k = 0; k < THREADS; k++) {
                keys[k] = "grouped-" + round + "-" + i + "-" + k;
            }
            bare.append(keys, "in_progress");
        }
        return syncs * THREADS * 1e9 / (System.nanoTime() - start);
    }
}
