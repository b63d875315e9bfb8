package dev.idem.benchmarks;

import dev.idem.Idem;
import dev.idem.Operation;
import dev.idem.lab.PostgresqlServer;
import dev.idem.lab.TempFolder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One thread on a PostgreSQL server: a first call and a replay beside the ledger's own statements sent by hand, and
 * beside the simplest code. Turns are short, as for SQLite.
 */
final class PostgresqlCalls implements Scenario {
    private static final byte[] OK = "ok".getBytes(StandardCharsets.UTF_8);
    private static final int CALLS_A_TURN = 10;

    @Override
    public String name() {
        return "PostgreSQL, one thread";
    }

    @Override
    public List<Row> run(Effort effort) throws Exception {
        try (TempFolder home = new TempFolder(effort.folder());
                PostgresqlServer server = new PostgresqlServer(home.path());
                Idem idem = Ledgers.inPostgresql(server);
                BarePostgresql bare = new BarePostgresql(server.connect())) {
            Operation<String> charge = idem.operation("charge").returning(String.class);
            Effort turns = effort.inTurnsOf(CALLS_A_TURN);
            Turns.Turn mine =
                    round -> perCall("i", round, key -> charge.key(key).run(call -> "ok"));
            Turns.Turn others =
                    round -> perCall("n", round, key -> charge.key(key).run(call -> "ok"));
            Turns firstByHand = Turns.take(turns, mine, round -> perCall("h", round, key -> bare.first(key, OK)));
            Turns firstNaive = Turns.take(
                    turns,
                    others,
                    round -> perCall("n", round, key -> {
                        bare.insert(key);
                        bare.complete(key, OK);
                    }));
            Turns replayByHand = Turns.take(turns, mine, round -> perCall("h", round, bare::replay));
            Turns replayNaive = Turns.take(turns, mine, round -> perCall("n", round, bare::result));
            return List.of(
                    row(
                            "first call | the same statements by hand",
                            firstByHand,
                            Budget.FIRST_CALL_NETWORKED,
                            firstByHand.median(Turns::ratios)),
                    naive("first call | naive: INSERT ON CONFLICT, UPDATE", firstNaive),
                    row(
                            "replay | the same statement by hand",
                            replayByHand,
                            Budget.REPLAY_NETWORKED,
                            replayByHand.median(Turns::differences)),
                    naive("replay | naive: a bare SELECT", replayNaive));
        }
    }

    private static Row naive(String path, Turns turns) {
        return Row.withoutPromise(
                "PostgreSQL, " + path,
                Units.time(turns.median(Turns::measured)),
                Units.time(turns.median(Turns::floor)),
                Units.times(turns.ratios()));
    }

    private static Row row(String path, Turns turns, Budget budget, double value) {
        return Row.of(
                "PostgreSQL, " + path,
                Units.time(turns.median(Turns::measured)),
                Units.time(turns.median(Turns::floor)),
                Units.times(turns.ratios()) + ", " + Units.times(turns.totalRatio()) + " in total",
                budget,
                value);
    }

    private interface KeyedCall {
        void make(String key) throws Exception;
    }

    private static double perCall(String prefix, int round, KeyedCall call) throws Exception {
        return Turns.perCall(CALLS_A_TURN, i -> call.make(prefix + "-" + round + "-" + i));
    }
}
