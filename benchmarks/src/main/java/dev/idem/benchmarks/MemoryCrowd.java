package dev.idem.benchmarks;

import dev.idem.Idem;
import dev.idem.Operation;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/** Sixty-four threads in memory, each with keys of its own. */
final class MemoryCrowd implements Scenario {
    private static final int THREADS = 64;

    @Override
    public String name() {
        return "memory, 64 threads";
    }

    @Override
    public List<Row> run(Effort effort) throws Exception {
        double[] worst = new double[effort.warmUpRounds() + effort.rounds()];
        try (Crowd crowd = new Crowd(THREADS)) {
            Turns turns = Turns.take(
                    effort,
                    round -> {
                        try (Idem idem = Ledgers.inMemory()) {
                            Operation<String> charge = idem.operation("charge").returning(String.class);
                            Latencies calls = crowd.run(
                                    effort.calls(),
                                    (thread, number) ->
                                            charge.key(thread + "-" + number).run(call -> "ok"));
                            worst[round] = calls.worst();
                            return calls.perSecond();
                        }
                    },
                    round -> {
                        ConcurrentHashMap<String, String> map = new ConcurrentHashMap<>();
                        return crowd.run(effort.calls(), (thread, number) -> {
                                    String key = thread + "-" + number;
                                    if (map.putIfAbsent(key, "in progress") == null) {
                                        map.put(key, "ok");
                                    }
                                })
                                .perSecond();
                    });
            return List.of(
                    Row.withoutPromise(
                            "memory, first calls, 64 threads | a bare map",
                            Units.rate(turns.median(Turns::measured)),
                            Units.rate(turns.median(Turns::floor)),
                            Units.times(turns.ratios())),
                    Row.withoutPromise(
                            "memory, a round's longest call, 64 threads",
                            Units.time(Units.quantile(worst, 0.5)),
                            "",
                            ""));
        }
    }
}
