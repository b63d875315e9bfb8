package dev.idem.benchmarks;

import dev.idem.Idem;
import dev.idem.Operation;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** One thread on a SQLite file: a first call beside two bare commits, a replay beside a bare SELECT. */
final class SqliteCalls implements Scenario {
    private static final byte[] OK = "ok".getBytes(StandardCharsets.UTF_8);
    private static final double MOST_TIMES_TWO_COMMITS = 1.2;

    @Override
    public String name() {
        return "SQLite, one thread";
    }

    @Override
    public List<Row> run(Effort effort) throws Exception {
        try (TempFolder folder = new TempFolder(effort.folder());
                Idem idem = Ledgers.inSqlite(folder.file("idem.db"));
                BareSqlite bare = new BareSqlite(folder.file("bare.db"))) {
            Operation<String> charge = idem.operation("charge").returning(String.class);
            Turns first = Turns.take(
                    effort,
                    round -> perCall(
                            effort.calls(), i -> charge.key(key(round, i)).run(call -> "ok")),
                    round -> perCall(effort.calls(), i -> {
                        bare.insert(key(round, i));
                        bare.complete(key(round, i), OK);
                    }));
            Turns replay = Turns.take(
                    effort,
                    round -> perCall(
                            effort.calls(), i -> charge.key(key(round, i)).run(call -> "ok")),
                    round -> perCall(effort.calls(), i -> bare.result(key(round, i))));
            return List.of(
                    new Row(
                            "SQLite, first call, 1 thread | two bare commits",
                            Units.time(first.median(Turns::measured)),
                            Units.time(first.median(Turns::floor)),
                            Units.times(first.ratios()),
                            "≤ 1.2 ×",
                            Row.Verdict.of(first.median(Turns::ratios) <= MOST_TIMES_TWO_COMMITS)),
                    Row.told(
                            "SQLite, replay, 1 thread | a bare SELECT",
                            Units.time(replay.median(Turns::measured)),
                            Units.time(replay.median(Turns::floor)),
                            Units.times(replay.ratios())));
        }
    }

    private interface NumberedCall {
        void make(int number) throws Exception;
    }

    private static double perCall(int calls, NumberedCall call) throws Exception {
        long start = System.nanoTime();
        for (int i = 0; i < calls; i++) {
            call.make(i);
        }
        return (double) (System.nanoTime() - start) / calls;
    }

    private static String key(int round, int number) {
        return "req-" + round + "-" + number;
    }
}
