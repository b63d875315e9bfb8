package dev.idem.benchmarks;

import dev.idem.Idem;
import dev.idem.agent.session.Session;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAnswer;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A repeated write of a session, in memory, as by a model that repeats itself or a restarted agent. Beside it, a lookup
 * in a map by the same text of arguments.
 */
final class SessionReplays implements Scenario {
    private static final int CALLS = 128;
    private static final int ROUNDS = 200;

    private final String[] arguments = new String[CALLS];
    private final ConcurrentHashMap<String, String> map = new ConcurrentHashMap<>();

    @Override
    public String name() {
        return "memory, replays of a session";
    }

    @Override
    public List<Row> run(Effort effort) throws Exception {
        try (Idem idem = Ledgers.inMemory()) {
            Session session = Session.of(
                    idem,
                    "task-1",
                    Tool.named("book").run((call, input) -> "booked"),
                    Tool.named("charge").identity("order").run((call, input) -> "charged"));
            for (int i = 0; i < CALLS; i++) {
                arguments[i] = "{\"order\":\"ord_" + i + "\",\"cents\":4200,\"note\":\"thank you\"}";
                map.put(arguments[i], "done");
            }
            return List.of(
                    row("replay from the session | a look into a map", replays(effort, session, "book")),
                    row("the same, with content that may be reworded", replays(effort, session, "charge")));
        }
    }

    private Turns replays(Effort effort, Session session, String tool) throws Exception {
        for (String json : arguments) {
            session.call(tool, json);
        }
        return Turns.take(effort, round -> replayed(session, tool), round -> found());
    }

    private double replayed(Session session, String tool) {
        long from = System.nanoTime();
        for (int round = 0; round < ROUNDS; round++) {
            for (String json : arguments) {
                if (session.call(tool, json).status() != ToolAnswer.Status.REPLAYED) {
                    throw new AssertionError("a duplicate was not replayed");
                }
            }
        }
        return (double) (System.nanoTime() - from) / ROUNDS / CALLS;
    }

    private double found() {
        long from = System.nanoTime();
        for (int round = 0; round < ROUNDS; round++) {
            for (String json : arguments) {
                if (!map.containsKey(json)) {
                    throw new AssertionError("a text was not found");
                }
            }
        }
        return (double) (System.nanoTime() - from) / ROUNDS / CALLS;
    }

    private static Row row(String path, Turns turns) {
        double replay = turns.median(Turns::measured);
        return Row.withoutPromise(
                path, Units.format("%.0f ns", replay), Units.format("%.0f ns", turns.median(Turns::floor)), "");
    }
}
