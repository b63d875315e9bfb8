package dev.idem.benchmarks;

import dev.idem.Idem;
import dev.idem.Operation;
import dev.idem.lab.TempFolder;
import java.util.List;

/** One thread on a JSONL file: a first call beside two bare appends, each with its sync. */
final class JsonlCalls implements Scenario {
    private static final int CALLS_A_TURN = 10;

    @Override
    public String name() {
        return "JSONL, one thread";
    }

    @Override
    public List<Row> run(Effort effort) throws Exception {
        try (TempFolder folder = new TempFolder(effort.folder());
                Idem idem = Ledgers.inJsonl(folder.file("idem.jsonl"));
                BareAppend bare = new BareAppend(folder.file("bare.jsonl"))) {
            Operation<String> charge = idem.operation("charge").returning(String.class);
            Effort shortTurns = effort.inTurnsOf(CALLS_A_TURN);
            Turns first = Turns.take(
                    shortTurns,
                    round -> Turns.perCall(
                            CALLS_A_TURN, i -> charge.key(key(round, i)).run(call -> "ok")),
                    round -> Turns.perCall(CALLS_A_TURN, i -> {
                        bare.append(key(round, i), "in_progress");
                        bare.append(key(round, i), "complete");
                    }));
            Turns replay = Turns.take(
                    shortTurns,
                    round -> Turns.perCall(
                            CALLS_A_TURN, i -> charge.key(key(round, i)).run(call -> "ok")),
                    round -> 1);
            return List.of(
                    Row.withoutPromise(
                            "JSONL, first call, 1 thread | two bare appends, synced",
                            Units.time(first.median(Turns::measured)),
                            Units.time(first.median(Turns::floor)),
                            Units.times(first.ratios()) + ", " + Units.times(first.totalRatio()) + " in total"),
                    Row.withoutPromise("JSONL, replay, 1 thread", Units.time(replay.median(Turns::measured)), "", ""));
        }
    }

    private static String key(int round, int number) {
        return "req-" + round + "-" + number;
    }
}
