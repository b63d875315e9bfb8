package dev.idem.benchmarks;

import java.util.List;
import java.util.function.Function;

/** A scenario on a Redis server of its own, which is started for it and ended after it. */
record OnRedis(String name, Function<RedisServer, Scenario> scenario) implements Scenario {
    @Override
    public List<Row> run(Effort effort) throws Exception {
        try (TempFolder folder = new TempFolder(effort.folder());
                RedisServer server = new RedisServer(folder)) {
            return scenario.apply(server).run(effort);
        }
    }
}
