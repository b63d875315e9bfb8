package dev.idem.benchmarks;

import dev.idem.Idem;
import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.Jedis;

/** The size of an entry in the memory of a Redis server, and of the append-only file that a call writes. */
final class RedisSize implements Scenario {
    private final RedisServer server;

    RedisSize(RedisServer server) {
        this.server = server;
    }

    @Override
    public String name() {
        return "Redis, size";
    }

    @Override
    public List<Row> run(Effort effort) throws Exception {
        int each = Sample.each(effort, 1);
        long entries = (long) each * Sample.THREADS;
        try (Idem idem = Ledgers.inRedis(server);
                Crowd crowd = new Crowd(Sample.THREADS);
                Jedis jedis = new Jedis("127.0.0.1", server.port())) {
            jedis.configSet("appendonly", "yes");
            Sample.fill(idem, crowd, "warm-up", 1);
            awaitNoRewrite(jedis);
            // A rewrite of the doubled file would reset the count.
            jedis.configSet("auto-aof-rewrite-percentage", "0");
            long memory = info(jedis, "memory", "used_memory");
            long log = info(jedis, "persistence", "aof_current_size");
            long in = info(jedis, "stats", "total_net_input_bytes");
            long out = info(jedis, "stats", "total_net_output_bytes");
            double rate = Sample.fill(idem, crowd, "a", each);
            long filledLog = info(jedis, "persistence", "aof_current_size");
            List<Row> rows = new ArrayList<>();
            rows.add(Sample.row(
                    "Redis, memory for each of " + entries + " entries",
                    (double) (info(jedis, "memory", "used_memory") - memory) / entries));
            rows.add(Sample.row("Redis, append-only file of a first call", (double) (filledLog - log) / entries));
            rows.add(Sample.row(
                    "Redis, network to the server of a first call",
                    (double) (info(jedis, "stats", "total_net_input_bytes") - in) / entries));
            rows.add(Sample.row(
                    "Redis, network from the server of a first call",
                    (double) (info(jedis, "stats", "total_net_output_bytes") - out) / entries));
            int fewer = Math.max(1, each / 10);
            double replays = Sample.fill(idem, crowd, "a", fewer);
            rows.add(Sample.row(
                    "Redis, append-only file of a replay",
                    (double) (info(jedis, "persistence", "aof_current_size") - filledLog) / fewer / Sample.THREADS));
            rows.add(Sample.rate("Redis, first calls while it grows, 64 threads", rate));
            rows.add(Sample.rate("Redis, replays, 64 threads", replays));
            return rows;
        }
    }

    private static void awaitNoRewrite(Jedis jedis) {
        while (info(jedis, "persistence", "aof_rewrite_in_progress") != 0
                || info(jedis, "persistence", "aof_rewrite_scheduled") != 0) {
            Thread.onSpinWait();
        }
    }

    private static long info(Jedis jedis, String section, String name) {
        return jedis.info(section)
                .lines()
                .filter(line -> line.startsWith(name + ":"))
                .mapToLong(
                        line -> Long.parseLong(line.substring(name.length() + 1).strip()))
                .findFirst()
                .orElseThrow();
    }
}
