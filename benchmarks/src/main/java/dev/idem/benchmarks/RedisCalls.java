package dev.idem.benchmarks;

import dev.idem.Idem;
import dev.idem.Operation;
import java.util.List;

/** One thread on a Redis server: a first call and a replay, each beside both floors. */
final class RedisCalls implements Scenario {
    private static final int CALLS_A_TURN = 20;

    private final RedisServer server;

    RedisCalls(RedisServer server) {
        this.server = server;
    }

    @Override
    public String name() {
        return "Redis, one thread";
    }

    @Override
    public List<Row> run(Effort effort) throws Exception {
        Effort turns = effort.inTurnsOf(CALLS_A_TURN);
        try (Idem idem = Ledgers.inRedis(server);
                BareRedis bare = new BareRedis(server)) {
            Operation<String> charge = idem.operation("charge").returning(String.class);
            Turns first = Turns.take(
                    turns,
                    round -> Turns.perCall(
                            CALLS_A_TURN, i -> charge.key("h" + key(round, i)).run(call -> "ok")),
                    round -> Turns.perCall(CALLS_A_TURN, i -> bare.runByHand(BareRedis.bytes("h" + key(round, i)))));
            Turns firstNaive = Turns.take(
                    turns,
                    round -> Turns.perCall(
                            CALLS_A_TURN, i -> charge.key("n" + key(round, i)).run(call -> "ok")),
                    round -> Turns.perCall(CALLS_A_TURN, i -> bare.runNaively(BareRedis.bytes("n" + key(round, i)))));
            Turns replay = Turns.take(
                    turns,
                    round -> Turns.perCall(
                            CALLS_A_TURN, i -> charge.key("h" + key(round, i)).run(call -> "ok")),
                    round -> Turns.perCall(CALLS_A_TURN, i -> bare.replayByHand(BareRedis.bytes("h" + key(round, i)))));
            Turns replayNaive = Turns.take(
                    turns,
                    round -> Turns.perCall(
                            CALLS_A_TURN, i -> charge.key("h" + key(round, i)).run(call -> "ok")),
                    round ->
                            Turns.perCall(CALLS_A_TURN, i -> bare.replayNaively(BareRedis.bytes("n" + key(round, i)))));
            return List.of(
                    row(
                            "Redis, first call | its two scripts, by hand",
                            first,
                            Budget.FIRST_CALL_NETWORKED,
                            first.median(Turns::ratios)),
                    Row.withoutPromise(
                            "Redis, first call | SET NX + SET",
                            Units.time(firstNaive.median(Turns::measured)),
                            Units.time(firstNaive.median(Turns::floor)),
                            Units.times(firstNaive.ratios())),
                    row(
                            "Redis, replay | its script, by hand",
                            replay,
                            Budget.REPLAY_NETWORKED,
                            replay.median(Turns::differences)),
                    Row.withoutPromise(
                            "Redis, replay | GET",
                            Units.time(replayNaive.median(Turns::measured)),
                            Units.time(replayNaive.median(Turns::floor)),
                            Units.times(replayNaive.ratios())));
        }
    }

    private static Row row(String path, Turns turns, Budget budget, double value) {
        return Row.of(
                path,
                Units.time(turns.median(Turns::measured)),
                Units.time(turns.median(Turns::floor)),
                Units.times(turns.ratios()),
                budget,
                value);
    }

    private static String key(int round, int number) {
        return "req-" + round + "-" + number;
    }
}
