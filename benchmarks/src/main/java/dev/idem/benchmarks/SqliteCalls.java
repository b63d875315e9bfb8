package dev.idem.benchmarks;

import dev.idem.Idem;
import dev.idem.Operation;
import dev.idem.lab.TempFolder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One thread on a SQLite file: a first call beside two bare commits, and what of that is the ledger's tables alone; a
 * replay beside a bare SELECT. Turns are short, as a disk that others use changes its pace from one moment to the next.
 */
final class SqliteCalls implements Scenario {
    private static final byte[] OK = "ok".getBytes(StandardCharsets.UTF_8);
    private static final int CALLS_A_TURN = 10;
    private static final double MOST_TIMES_TWO_COMMITS = 1.45;

    @Override
    public String name() {
        return "SQLite, one thread";
    }

    @Override
    public List<Row> run(Effort effort) throws Exception {
        try (TempFolder folder = new TempFolder(effort.folder());
                Idem idem = Ledgers.inSqlite(folder.file("idem.db"));
                BareSqlite bare = new BareSqlite(folder.file("bare.db"));
                SqliteByHand byHand = new SqliteByHand(folder.file("hand.db"))) {
            Operation<String> charge = idem.operation("charge").returning(String.class);
            Effort shortTurns = effort.inTurnsOf(CALLS_A_TURN);
            Turns first = Turns.take(
                    shortTurns,
                    round -> Turns.perCall(
                            CALLS_A_TURN, i -> charge.key(key(round, i)).run(call -> "ok")),
                    round -> Turns.perCall(CALLS_A_TURN, i -> {
                        bare.insert(key(round, i));
                        bare.complete(key(round, i), OK);
                    }));
            Turns hand = Turns.take(
                    shortTurns,
                    round -> Turns.perCall(CALLS_A_TURN, i -> byHand.firstCall(key(round, i), OK)),
                    round -> Turns.perCall(CALLS_A_TURN, i -> {
                        bare.insert("by-hand-" + key(round, i));
                        bare.complete("by-hand-" + key(round, i), OK);
                    }));
            Turns replay = Turns.take(
                    shortTurns,
                    round -> Turns.perCall(
                            CALLS_A_TURN, i -> charge.key(key(round, i)).run(call -> "ok")),
                    round -> Turns.perCall(CALLS_A_TURN, i -> bare.result(key(round, i))));
            return List.of(
                    new Row(
                            "SQLite, first call, 1 thread | two bare commits",
                            Units.time(first.median(Turns::measured)),
                            Units.time(first.median(Turns::floor)),
                            Units.times(first.ratios()) + ", " + Units.times(first.totalRatio()) + " in total",
                            "≤ 1.45 ×",
                            Row.Verdict.of(first.median(Turns::ratios) <= MOST_TIMES_TWO_COMMITS)),
                    Row.told(
                            "SQLite, the ledger's statements by hand | the same",
                            Units.time(hand.median(Turns::measured)),
                            Units.time(hand.median(Turns::floor)),
                            Units.times(hand.ratios()) + ", " + Units.times(hand.totalRatio()) + " in total"),
                    Row.told(
                            "SQLite, replay, 1 thread | a bare SELECT",
                            Units.time(replay.median(Turns::measured)),
                            Units.time(replay.median(Turns::floor)),
                            Units.times(replay.ratios()) + ", " + Units.times(replay.totalRatio()) + " in total"));
        }
    }

    private static String key(int round, int number) {
        return "req-" + round + "-" + number;
    }
}
