package dev.idem.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import dev.idem.Idem;
import dev.idem.Operation;
import dev.idem.lab.PostgresqlServer;
import dev.idem.lab.TempFolder;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import redis.clients.jedis.Jedis;

/**
 * Sixty-four threads that make first calls, then replay them: how many a second, how long half of them take and 99 of
 * 100, and the processor time of a call here and in the ledger's server.
 */
abstract sealed class ManyThreads implements Scenario {
    private static final int THREADS = 64;
    private static final int SHARE = 10;

    private final String ledger;

    private ManyThreads(String ledger) {
        this.ledger = ledger;
    }

    /** The processor time that the ledger's server has taken so far. */
    interface Server {
        Duration taken() throws IOException;
    }

    static final class InSqlite extends ManyThreads {
        InSqlite() {
            super("SQLite");
        }

        @Override
        public List<Row> run(Effort effort) throws Exception {
            try (TempFolder folder = new TempFolder(effort.folder());
                    Idem idem = Ledgers.inSqlite(folder.file("idem.db"))) {
                return measured(effort, idem, () -> Duration.ZERO);
            }
        }
    }

    static final class InJsonl extends ManyThreads {
        InJsonl() {
            super("JSONL");
        }

        @Override
        public List<Row> run(Effort effort) throws Exception {
            try (TempFolder folder = new TempFolder(effort.folder());
                    Idem idem = Ledgers.inJsonl(folder.file("idem.jsonl"))) {
                return measured(effort, idem, () -> Duration.ZERO);
            }
        }
    }

    static final class InPostgresql extends ManyThreads {
        InPostgresql() {
            super("PostgreSQL");
        }

        @Override
        public List<Row> run(Effort effort) throws Exception {
            try (TempFolder home = new TempFolder(effort.folder());
                    PostgresqlServer server = new PostgresqlServer(home.path());
                    Idem idem = Ledgers.inPostgresql(server)) {
                long first = Long.parseLong(Files.readAllLines(server.data().resolve("postmaster.pid"))
                        .get(0)
                        .strip());
                return measured(effort, idem, () -> ofProcesses(first));
            }
        }

        private static Duration ofProcesses(long first) {
            return ProcessHandle.of(first).stream()
                    .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
                    .map(process -> process.info().totalCpuDuration())
                    .flatMap(Optional::stream)
                    .reduce(Duration.ZERO, Duration::plus);
        }
    }

    static final class InRedis extends ManyThreads {
        private final RedisServer server;

        InRedis(RedisServer server) {
            super("Redis");
            this.server = server;
        }

        @Override
        public List<Row> run(Effort effort) throws Exception {
            try (Idem idem = Ledgers.inRedis(server);
                    Jedis asking = new Jedis("127.0.0.1", server.port())) {
                return measured(effort, idem, () -> ofServer(asking.info("cpu")));
            }
        }

        private static Duration ofServer(String info) {
            return info.lines()
                    .filter(line -> line.startsWith("used_cpu_sys:") || line.startsWith("used_cpu_user:"))
                    .map(line -> Double.parseDouble(line.substring(line.indexOf(':') + 1)))
                    .map(seconds -> Duration.ofNanos((long) (seconds * 1e9)))
                    .reduce(Duration.ZERO, Duration::plus);
        }
    }

    @Override
    public final String name() {
        return ledger + ", many threads";
    }

    final List<Row> measured(Effort effort, Idem idem, Server server) throws Exception {
        Operation<String> charge = idem.operation("charge").returning(String.class);
        int each = Sample.each(effort, SHARE);
        try (Crowd crowd = new Crowd(THREADS)) {
            int warmUp = Math.max(1, effort.warmUpCalls() / THREADS);
            calls(crowd, charge, "w", warmUp);
            Row first = row("first call", crowd, charge, each, server);
            calls(crowd, charge, "w", warmUp);
            return List.of(first, row("replay", crowd, charge, each, server));
        }
    }

    /** The first time these are first calls, later they are replays. */
    private Row row(String what, Crowd crowd, Operation<String> charge, int each, Server server) throws Exception {
        double here = here();
        double there = server.taken().toNanos();
        Latencies took = calls(crowd, charge, "m", each);
        double calls = (double) THREADS * each;
        double spread = took.at(0.99) / took.median();
        String processor = Units.time((here() - here) / calls);
        return Row.of(
                ledger + ", " + what + ", 64 threads | p50, p99, processor time here and in the server",
                Units.rate(took.perSecond()),
                Units.time(took.median()) + ", " + Units.time(took.at(0.99)) + ", " + processor + ", "
                        + Units.time((server.taken().toNanos() - there) / calls),
                Units.times(spread),
                Budget.SPREAD,
                spread);
    }

    private static Latencies calls(Crowd crowd, Operation<String> charge, String prefix, int each) throws Exception {
        return crowd.run(
                each,
                (thread, number) ->
                        charge.key(prefix + "-" + thread + "-" + number).run(call -> "ok"));
    }

    private static double here() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }
}
