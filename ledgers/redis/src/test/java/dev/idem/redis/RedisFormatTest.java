package dev.idem.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.entry.Address;
import dev.idem.entry.AttemptId;
import dev.idem.entry.Effect;
import dev.idem.entry.Entry;
import dev.idem.entry.Failure;
import dev.idem.entry.Fence;
import dev.idem.entry.Fingerprints;
import dev.idem.entry.Mark;
import dev.idem.entry.Owner;
import dev.idem.entry.Payload;
import dev.idem.entry.ProcessRef;
import dev.idem.entry.Result;
import dev.idem.entry.Retention;
import dev.idem.entry.Settlement;
import dev.idem.entry.State;
import dev.idem.entry.Ticket;
import dev.idem.lab.RedisProcess;
import dev.idem.ledger.Claim;
import dev.idem.ledger.ClaimRequest;
import dev.idem.ledger.Host;
import dev.idem.ledger.LedgerContext;
import dev.idem.ledger.TakeOver;
import dev.idem.testkit.SettableProcesses;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

/** Entries as format 1 wrote them are read for ever; a change of the format shows here first. */
class RedisFormatTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00.123456Z");

    @TempDir
    Path folder;

    private final TestTime time = new TestTime();
    private final Map<String, String> written = new LinkedHashMap<>();

    @Test
    void entries_of_format_1_are_written_and_read_as_ever() throws Exception {
        List<String> kept = read();
        try (RedisProcess redis = RedisProcess.start(RedisProcess.bundled(folder), folder)) {
            time.set(NOW);
            RedisOptions options = Fixtures.options(redis);
            try (RedisLedger ledger = RedisLedger.open(
                    options, new LedgerContext(Host.system(), new SettableProcesses()), time.clockOfFences())) {
                writeOneOfEach(ledger, redis);
                assertThat(lines()).isEqualTo(kept);
                redis.admin(Jedis::flushAll);
                for (String line : kept) {
                    String[] parts = line.split(" ", -1);
                    byte[] key = Fixtures.name(parts[0]).getBytes(StandardCharsets.UTF_8);
                    redis.admin(jedis -> jedis.set(key, HexFormat.of().parseHex(parts[1])));
                }
                readOneOfEach(ledger);
            }
        }
    }

    private static List<String> read() throws Exception {
        Path file = Path.of(RedisFormatTest.class.getResource("format-1.txt").toURI());
        return Files.readAllLines(file).stream()
                .filter(line -> !line.startsWith("#"))
                .toList();
    }

    private List<String> lines() {
        return written.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .toList();
    }

    private static ClaimRequest request(String key) {
        return new ClaimRequest(
                new AttemptId(7, key.length()),
                Fixtures.address(key),
                new Fingerprints("1d".repeat(32), "odd content"),
                new Address("shop", "checkout", "order-1"),
                Map.of("customer", "cus_1", "città", "Zürich"),
                new Owner("pid 17", new ProcessRef("host-1", 17, 1234)),
                Duration.ofSeconds(30),
                Duration.ofMinutes(5),
                true,
                TakeOver.NONE,
                Duration.ZERO);
    }

    private void writeOneOfEach(RedisLedger ledger, RedisProcess redis) {
        take(ledger, "in-progress");
        Ticket marked = take(ledger, "marked");
        ledger.mark(marked, new Mark("started", new ProcessRef("host-1", 18, 5678)));
        ledger.settle(take(ledger, "complete"), Fixtures.completed("{\"r\":\"é\"}"));
        ledger.settle(
                take(ledger, "unavailable"),
                new Settlement.Completed(
                        new Result.Unavailable("it has 20 MiB"),
                        Effect.DELETED,
                        new Retention(Duration.ofDays(7), Duration.ofDays(30))));
        ledger.settle(
                take(ledger, "kept-failure"),
                new Settlement.Failed(new Failure("java.io.IOException", "refused"), true, Retention.DEFAULT));
        ledger.settle(take(ledger, "not-executed"), new Settlement.NotExecuted("no such charge", Retention.DEFAULT));
        ledger.settle(take(ledger, "in-doubt"), new Settlement.Doubtful(new Failure("java.net.Timeout", "late")));
        Ticket forgotten = take(ledger, "stub");
        ledger.settle(forgotten, Fixtures.completed("1"));
        ledger.forget(ledger.find(forgotten.address()).orElseThrow());
        ledger.mark(take(ledger, "rerun-marked"), Mark.of("charging"));
        time.set(NOW.plus(Duration.ofMinutes(10)));
        ledger.claim(request("rerun-marked").withAttemptId(new AttemptId(8, 8)).withTakeOver(TakeOver.RERUN));
        for (String key : List.of(
                "in-progress",
                "marked",
                "complete",
                "unavailable",
                "kept-failure",
                "not-executed",
                "in-doubt",
                "stub",
                "rerun-marked")) {
            byte[] name = Fixtures.name(key).getBytes(StandardCharsets.UTF_8);
            written.put(key, HexFormat.of().formatHex(redis.admin(jedis -> jedis.get(name))));
        }
        time.set(NOW);
    }

    private static Ticket take(RedisLedger ledger, String key) {
        return ((Claim.Granted) ledger.claim(request(key))).ticket();
    }

    private void readOneOfEach(RedisLedger ledger) {
        Entry running = entry(ledger, "in-progress");
        assertThat(running.state()).isEqualTo(State.IN_PROGRESS);
        assertThat(running.parent()).isEqualTo(new Address("shop", "checkout", "order-1"));
        assertThat(running.labels()).isEqualTo(Map.of("customer", "cus_1", "città", "Zürich"));
        assertThat(running.fingerprints()).isEqualTo(new Fingerprints("1d".repeat(32), "odd content"));
        assertThat(running.tenure().owner()).isEqualTo(request("x").owner());
        assertThat(running.tenure().lease().wall()).isEqualTo(NOW.plusSeconds(30));
        assertThat(running.fence()).isEqualTo(new Fence(Digits.micros(NOW)));
        assertThat(entry(ledger, "marked").tenure().child()).isEqualTo(new ProcessRef("host-1", 18, 5678));
        assertThat(entry(ledger, "complete").result())
                .isEqualTo(new Result.Stored(
                        Payload.of("{\"r\":\"é\"}".getBytes(StandardCharsets.UTF_8), "application/json", "json")));
        assertThat(entry(ledger, "unavailable").result()).isEqualTo(new Result.Unavailable("it has 20 MiB"));
        assertThat(entry(ledger, "kept-failure").settlement())
                .isEqualTo(
                        new Settlement.Failed(new Failure("java.io.IOException", "refused"), true, Retention.DEFAULT));
        assertThat(entry(ledger, "not-executed").settlement())
                .isEqualTo(new Settlement.NotExecuted("no such charge", Retention.DEFAULT));
        assertThat(entry(ledger, "in-doubt").doubt().reason()).isEqualTo("the action ended with java.net.Timeout");
        assertThat(ledger.find(Fixtures.address("stub"))).isEmpty();
        Entry rerun = entry(ledger, "rerun-marked");
        assertThat(rerun.doubt().reason()).isEqualTo("the lease of pid 17 ran out without a heartbeat");
        assertThat(rerun.tenure().marks()).containsExactly(Mark.of("charging"));
        assertThat(rerun.attempt()).isEqualTo(2);
    }

    private static Entry entry(RedisLedger ledger, String key) {
        return ledger.find(Fixtures.address(key)).orElseThrow();
    }
}
