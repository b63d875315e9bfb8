package dev.idem.jsonl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Json;
import dev.idem.State;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Effect;
import dev.idem.spi.Failure;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Mark;
import dev.idem.spi.Owner;
import dev.idem.spi.Payload;
import dev.idem.spi.ProcessRef;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Query;
import dev.idem.testkit.MemoryFolder;
import dev.idem.testkit.SettableClocks;
import dev.idem.testkit.SettableProcesses;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every line is JSON that people can read, and files of the first version are read for ever. */
class FormatTest {
    private static final Fingerprints GUARDS = new Fingerprints("1d".repeat(32), "c0".repeat(32));
    private static final Retention RETENTION =
            Retention.of(Duration.ofDays(3650)).withTombstone(Duration.ofHours(1));

    @TempDir(factory = MemoryFolder.class)
    Path folder;

    private final SettableClocks clocks = new SettableClocks();

    private TestLedger open(Path file) {
        return Fixtures.open(JsonlOptions.at(file), new LedgerContext(clocks, new SettableProcesses()));
    }

    @Test
    void resultsCanBeReadWhereTheyStand() throws IOException {
        Path file = folder.resolve("idem.jsonl");
        try (TestLedger ledger = open(file)) {
            settle(ledger, "json", "{\"charged\":4200,\"to\":\"žluťoučký 🐎\"}", "application/json", "json");
            settle(ledger, "pretty", "{\n  \"charged\" : 4200\n}", "application/json", "json");
            settle(ledger, "text", "charged \"4200\"\nto 🐎", "text/plain;charset=utf-8", "text");
            settle(ledger, "null", "null", "application/json", "json");
            settle(ledger, "void", "", "application/x-empty", "void");
        }
        List<String> lines = Files.readAllLines(file);
        assertThat(lines).allSatisfy(line -> assertThat(Json.parse(line)).isInstanceOf(Map.class));
        assertThat(lines)
                .anyMatch(line -> line.contains(",\"result\":{\"charged\":4200,\"to\":\"žluťoučký 🐎\"},\"crc\""))
                .anyMatch(line ->
                        line.contains(",\"form\":\"text\",\"result\":\"{\\n  \\\"charged\\\" : 4200\\n}\",\"crc\""))
                .anyMatch(
                        line -> line.contains(",\"form\":\"text\",\"result\":\"charged \\\"4200\\\"\\nto 🐎\",\"crc\""))
                .anyMatch(line -> line.contains(",\"result\":null,\"crc\""));
        try (TestLedger ledger = open(file)) {
            assertThat(result(ledger, "pretty")).isEqualTo("{\n  \"charged\" : 4200\n}");
            assertThat(result(ledger, "text")).isEqualTo("charged \"4200\"\nto 🐎");
            assertThat(result(ledger, "null")).isEqualTo("null");
            assertThat(result(ledger, "void")).isEmpty();
        }
    }

    /** Everything an entry can have, as the first version has written it. */
    @Test
    void aFileOfTheFirstVersionIsRead() throws IOException {
        Path file = folder.resolve("idem.jsonl");
        try (InputStream first = FormatTest.class.getResourceAsStream("version-1.jsonl")) {
            Files.write(file, first.readAllBytes());
        }
        List<String> then = Files.readAllLines(file);
        Path fresh = folder.resolve("fresh.jsonl");
        try (TestLedger old = open(file);
                TestLedger now = open(fresh)) {
            everything(now);
            // In the first version an id could be granted twice.
            assertThat(old.browsable().browse(Query.all()).entries())
                    .usingRecursiveFieldByFieldElementComparatorIgnoringFields("tenure.attemptId")
                    .isEqualTo(now.browsable().browse(Query.all()).entries())
                    .hasSize(8);
            assertThat(Fixtures.take(old, "next").fence())
                    .isEqualTo(Fixtures.take(now, "next").fence());
        }
        // Today's lines are those of then, except for the two lines that end a file.
        int same = then.size() - 2;
        assertThat(withoutChance(Files.readAllLines(fresh)).subList(0, same))
                .isEqualTo(withoutChance(then).subList(0, same));
    }

    /**
     * Versions are random, and with them checksums and the lengths of batches; the time of a mark is a guess. The id of
     * a file is random too, and early files have none.
     */
    private static List<String> withoutChance(List<String> lines) {
        return lines.stream()
                .map(line -> line.replaceAll("\"(version|bytes)\":-?\\d+", "\"$1\":0")
                        .replaceAll("\"attempt_id\":\"0{15}[34]", "\"attempt_id\":\"")
                        .replaceAll("\"(crc|sum)\":\"[0-9a-f]{8}\"", "\"$1\":\"\"")
                        .replaceAll(",\"file\":\"[^\"]*\"", "")
                        .replaceAll("\"[^\"]*\"(,1,\"marked\")", "\"\"$1"))
                .toList();
    }

    private static void everything(TestLedger ledger) {
        ClaimRequest full = new ClaimRequest(
                new AttemptId(1, 2),
                new Address("shop \"ž\"", "charge\\now", "order-1"),
                GUARDS,
                new Address("shop", "checkout", "c-1"),
                Map.of("customer", "cus_1", "note", "line\none"),
                new Owner("host 🐎", new ProcessRef("boot/pid", 17, 42)),
                Duration.ofSeconds(30),
                Duration.ofMinutes(5),
                true,
                dev.idem.spi.TakeOver.NONE,
                Duration.ZERO,
                dev.idem.Repeat.REPLAY);
        Ticket ticket = ((Claim.Granted) ledger.claim(full)).ticket();
        ledger.mark(ticket, Mark.of("charging"));
        ledger.mark(ticket, new Mark("started", new ProcessRef("boot/pid", 18, 43)));
        settle(ledger, "complete", "{\"charged\":4200}", "application/json", "json");
        settle(ledger, "bytes", "\u0000\u0001", "application/octet-stream", "bytes");
        ledger.settle(take(ledger, "unavailable"), completed(new Result.Unavailable("too large")));
        ledger.settle(
                take(ledger, "failed"),
                new Settlement.Failed(new Failure("java.io.IOException", "no"), true, RETENTION));
        ledger.settle(take(ledger, "doubted"), new Settlement.Doubtful(new Failure("timeout", "no answer")));
        ledger.settle(take(ledger, "harmless"), new Settlement.NotExecuted("asked the bank", RETENTION));
        Ticket again = take(ledger, "again");
        ledger.settle(again, new Settlement.Failed(new Failure("refused", ""), false, RETENTION));
        ledger.claim(Fixtures.request("again", new AttemptId(4, "again".hashCode())));
        Entry forgotten = settle(ledger, "forgotten", "1", "application/json", "json");
        ledger.forget(forgotten);
    }

    private static Ticket take(TestLedger ledger, String key) {
        return ((Claim.Granted) ledger.claim(Fixtures.request(key, new AttemptId(3, key.hashCode())))).ticket();
    }

    private static Settlement completed(Result result) {
        return new Settlement.Completed(result, Effect.UPDATED, RETENTION);
    }

    private static Entry settle(TestLedger ledger, String key, String text, String media, String codec) {
        Payload payload = Payload.of(text.getBytes(StandardCharsets.UTF_8), media, codec);
        ledger.settle(
                take(ledger, key), new Settlement.Completed(new Result.Stored(payload), Effect.CREATED, RETENTION));
        return ledger.find(Fixtures.address(key))
                .filter(e -> e.state() == State.COMPLETE)
                .orElseThrow();
    }

    private static String result(TestLedger ledger, String key) {
        return Fixtures.result(ledger.find(Fixtures.address(key)).orElseThrow());
    }
}
