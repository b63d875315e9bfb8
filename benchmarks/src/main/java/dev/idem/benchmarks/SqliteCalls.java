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
            Effort turns = effort.inTurnsOf(CALLS_A_TURN);
            Turns first =
                    besideTwoCommits(turns, bare, "", key -> charge.key(key).run(call -> "ok"));
            Turns hand = besideTwoCommits(turns, bare, "by-hand-", key -> byHand.firstCall(key, OK));
            Turns read = besideTwoCommits(turns, bare, "read-", key -> {
                byHand.read(key);
                byHand.firstCall(key, OK);
            });
            Turns replay = Turns.take(
                    turns,
                    round -> Turns.perCall(
                            CALLS_A_TURN, i -> charge.key(key(round, i)).run(call -> "ok")),
                    round -> Turns.perCall(CALLS_A_TURN, i -> bare.result(key(round, i))));
            return List.of(
                    Row.of(
                            "SQLite, first call, 1 thread | two bare commits",
                            Units.time(first.median(Turns::measured)),
                            Units.time(first.median(Turns::floor)),
                            compared(first),
                            Budget.FIRST_CALL_SQLITE,
                            first.median(Turns::ratios)),
                    row("SQLite, the ledger's statements by hand | the same", hand),
                    row("SQLite, these and the read before them | the same", read),
                    Row.of(
                            "SQLite, replay, 1 thread | a bare SELECT",
                            Units.time(replay.median(Turns::measured)),
                            Units.time(replay.median(Turns::floor)),
                            compared(replay),
                            Budget.REPLAY_SQLITE,
                            replay.median(Turns::measured)));
        }
    }

    private interface KeyedCall {
        void make(String key) throws Exception;
    }

    private static Turns besideTwoCommits(Effort turns, BareSqlite bare, String kind, KeyedCall call) throws Exception {
        return Turns.take(
                turns,
                round -> Turns.perCall(CALLS_A_TURN, i -> call.make(kind + key(round, i))),
                round -> Turns.perCall(CALLS_A_TURN, i -> {
                    bare.insert(kind + key(round, i));
                    bare.complete(kind + key(round, i), OK);
                }));
    }

    private static Row row(String path, Turns turns) {
        return Row.withoutPromise(
                path,
                Units.time(turns.median(Turns::measured)),
                Units.time(turns.median(Turns::floor)),
                compared(turns));
    }

    private static String compared(Turns turns) {
        return Units.times(turns.ratios()) + ", " + Units.times(turns.totalRatio()) + " in total";
    }

    private static String key(int round, int number) {
        return "req-" + round + "-" + number;
    }
}
