package dev.idem.benchmarks;

import dev.idem.lab.RedisProcess;
import dev.idem.lab.TempFolder;
import java.util.List;
import java.util.function.Function;

/**
 * A scenario on a Redis server that is started for it and ended after it. The server saves nothing, because the
 * scenario measures the network.
 */
record OnRedis(String name, Function<RedisServer, Scenario> scenario) implements Scenario {
    @Override
    public List<Row> run(Effort effort) throws Exception {
        try (TempFolder folder = new TempFolder(effort.folder());
                RedisProcess redis = RedisProcess.start(RedisProcess.bundled(folder.path()), folder.path())) {
            return scenario.apply(new RedisServer(redis.port())).run(effort);
        }
    }
}
