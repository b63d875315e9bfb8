package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.ExpiredException;
import dev.idem.Idem;
import dev.idem.Json;
import dev.idem.NotExecutedException;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.RemoteKeys;
import dev.idem.RequestStore;
import dev.idem.State;
import dev.idem.cli.InProcess.Ran;
import dev.idem.cli.around.Iso;
import dev.idem.spi.ResolvedBy;
import dev.idem.spi.Result;
import dev.idem.testkit.FaultyLedger;
import dev.idem.testkit.FaultyLedger.Point;
import dev.idem.testkit.Halted;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An import ends as the export was, or says what is missing, wherever it is cut off. */
class ImportTest {
    private static final int ENTRIES = 6;

    @TempDir
    Path folder;

    private InProcess shell;

    @BeforeEach
    void open() {
        shell = new InProcess(folder);
    }

    private void exportSome() throws IOException {
        InProcess old = new InProcess(folder);
        for (int i = 0; i < ENTRIES; i++) {
            old.idem("claim", "k" + i, "--label", "n=" + i);
            old.idem("settle", "k" + i, "--fence", Integer.toString(i + 1), "--as", "complete", "--result", "\"r\"");
        }
        export(old);
    }

    private void export(InProcess from) throws IOException {
        Files.writeString(
                folder.resolve("all.jsonl"),
                from.idem("export", "--with-results").out());
    }

    private Ran importAll() {
        return shell.idem("import", "all.jsonl", "--idempotency-key", "K", "--json");
    }

    private void requireAll() {
        for (int i = 0; i < ENTRIES; i++) {
            assertThat(shell.idem("claim", "k" + i, "--json").data())
                    .containsEntry("state", "complete")
                    .containsEntry("result", "r");
        }
    }

    @Test
    void anImportThatASignalCutOffIsNotRecordedAsDone() throws IOException {
        exportSome();
        shell.handle.at(Point.BEFORE_SETTLE, () -> {});
        shell.signalAt(Point.AFTER_SETTLE);

        Ran cut = importAll();
        assertThat(cut.exit()).isEqualTo(143);
        assertThat(cut.error()).containsEntry("code", "CANCELLED");
        assertThat(cut.error().get("message").toString()).contains("5 of 6 entries are not taken over yet");
        assertThat(cut.data()).containsEntry("imported", 1L).containsEntry("missing", 5L);

        shell.handle = new FaultyLedger(shell.ledger);
        shell.clocks.advance(Duration.ofMinutes(2));
        Ran again = importAll();
        assertThat(again.exit()).as(again.out()).isZero();
        assertThat(again.data()).containsEntry("imported", 5L).containsEntry("missing", 0L);
        requireAll();
        assertThat(importAll().data()).containsEntry("effect", "noop").containsKey("reason");
    }

    @ParameterizedTest
    @EnumSource(names = {"BEFORE_CLAIM", "AFTER_CLAIM", "BEFORE_SETTLE", "AFTER_SETTLE"})
    void anImportThatWasKilledIsFinishedByTheSameCall(Point point) throws IOException {
        exportSome();
        for (int call = 0; call < ENTRIES; call++) {
            shell.handle = new FaultyLedger(shell.ledger);
            // The first claim is that of the call itself.
            for (int i = 0; i < (point.name().endsWith("CLAIM") ? 2 : 1); i++) {
                shell.handle.at(point, () -> {});
            }
            shell.handle.halt(point);
            try {
                importAll();
            } catch (Halted killed) {
                assertThat(killed).isNotNull();
            }
            shell.clocks.advance(Duration.ofMinutes(2));
        }
        shell.handle = new FaultyLedger(shell.ledger);
        Ran again = importAll();
        assertThat(again.exit()).as(again.out()).isZero();
        requireAll();
    }

    @Test
    void aHalfWrittenEntryIsNotAlreadyThere() throws IOException {
        exportSome();
        shell.handle.fail(Point.BEFORE_SETTLE);
        Ran cut = shell.idem("import", "all.jsonl", "--json");
        assertThat(cut.exit()).isEqualTo(12);
        assertThat(cut.data()).containsEntry("missing", (long) ENTRIES);
        assertThat(cut.error().get("message").toString()).contains("6 of 6 entries are not taken over yet");

        Ran again = shell.idem("import", "all.jsonl", "--json");
        assertThat(again.exit()).isZero();
        assertThat(again.data()).containsEntry("imported", (long) ENTRIES).containsEntry("already_there", 0L);
        requireAll();
    }

    /** The decision became a text, and a request whose response a person had given answered that it was damaged. */
    @ParameterizedTest
    @EnumSource(names = {"AFTER_CLAIM", "AFTER_SETTLE", "BEFORE_RESOLVE", "AFTER_RESOLVE"})
    void theDecisionOfAPersonIsImportedAsOne(Point lost) throws IOException {
        InProcess old = new InProcess(folder);
        for (String key : List.of("yes", "no")) {
            old.idem("claim", key, "--operation", "pay");
            String fence = key.equals("yes") ? "1" : "2";
            old.idem("settle", key, "--operation", "pay", "--fence", fence, "--as", "in_doubt");
        }
        old.idem(
                "resolve",
                "yes",
                "--operation",
                "pay",
                "--as",
                "complete",
                "--result",
                "7",
                "--by",
                "ann",
                "--why",
                "seen");
        old.idem("resolve", "no", "--operation", "pay", "--as", "failed", "--by", "bob");
        export(old);

        shell.handle.fail(lost);
        assertThat(shell.idem("import", "all.jsonl", "--json").exit()).isEqualTo(12);
        Ran again = shell.idem("import", "all.jsonl", "--json");
        assertThat(again.exit()).as(again.out()).isZero();

        assertThat(resolution("yes")).isEqualTo(ResolvedBy.of("ann", "seen"));
        assertThat(resolution("no")).isEqualTo(ResolvedBy.of("bob", null));
        assertThat(shell.idem("claim", "yes", "--operation", "pay", "--json").data())
                .containsEntry("state", "complete")
                .containsEntry("result", 7L);
    }

    private @Nullable ResolvedBy resolution(String key) {
        return shell.ledger
                .find(new Address("default", "pay", key))
                .orElseThrow()
                .resolution();
    }

    @Test
    void anEntryThatIsRunningHereIsNotAlreadyThere() throws IOException {
        exportSome();
        shell.idem("claim", "k0");
        Ran ran = shell.idem("import", "all.jsonl", "--json");
        assertThat(ran.exit()).isEqualTo(3);
        assertThat(ran.data()).containsEntry("already_there", 0L).containsEntry("different", 1L);
        assertThat(ran.data().get("left_alone").toString()).contains("key=k0", "it is in_progress here");
    }

    @Test
    void aPurgeThatASignalCutOffIsNotRecordedAsDone() {
        shell.idem("run", "--key", "short", "--ttl", "1s", "--", "true");
        shell.clocks.advance(Duration.ofMinutes(1));
        shell.signalAt(Point.AFTER_CLAIM);
        assertThat(shell.idem("purge", "--yes", "--idempotency-key", "P", "--json")
                        .exit())
                .isEqualTo(143);
        shell.handle = new FaultyLedger(shell.ledger);
        shell.clocks.advance(Duration.ofMinutes(2));
        assertThat(shell.idem("purge", "--yes", "--idempotency-key", "P", "--json")
                        .data())
                .containsEntry("effect", "deleted");
    }

    @Test
    void aKeyThatAnsweredExpiredDoesNotRunAgainOnTheNewLedger() throws IOException {
        InProcess old = new InProcess(folder);
        AtomicInteger ran = new AtomicInteger();
        destroy(old, ran, "done before the export");
        old.clocks.advance(Duration.ofDays(8));
        destroy(old, ran, "young");
        assertThat(destroy(old, ran, "done before the export")).isInstanceOf(Outcome.Expired.class);
        export(old);

        shell.clocks.advance(Duration.ofDays(8));
        assertThat(shell.idem("import", "all.jsonl").exit()).isZero();
        assertThat(destroy(shell, ran, "done before the export")).isInstanceOf(Outcome.Expired.class);
        assertThat(destroy(shell, ran, "young")).isInstanceOf(Outcome.Replayed.class);
        assertThat(shell.idem("ls", "--state", "expired").out().lines()).hasSize(2);
        shell.clocks.advance(Duration.ofDays(16));
        assertThat(destroy(shell, ran, "young")).isInstanceOf(Outcome.Expired.class);
        assertThat(ran).hasValue(2);
    }

    /** A tombstone said that it ran when it was imported. */
    @Test
    void anImportedTombstoneHadTheTimeOfTheImport() throws IOException {
        InProcess old = new InProcess(folder);
        String[] line = {"run", "--key", "k", "--ttl", "1h", "--side-effect", "destructive", "--", "true"};
        String[] mayRunAgain = {"run", "--key", "w", "--ttl", "1h", "--", "true"};
        old.idem(line);
        old.idem(mayRunAgain);
        String local = claimed(old, "k");
        String localToo = claimed(old, "w");
        old.clocks.advance(Duration.ofMinutes(90));
        export(old);
        shell.clocks.advance(Duration.ofMinutes(100));
        assertThat(shell.idem("import", "all.jsonl").exit()).isZero();
        assertThat(shell.idem("show", "k").out()).contains("expired", "ran          " + local);
        assertThat(shell.idem("why", "k").out()).contains("Now: it ran at " + local);
        assertThat(shell.idem(line).err()).contains("'k' ran at " + local + " and its result has expired");
        Entry tombstone = shell.ledger.find(new Address("default", "run", "k")).orElseThrow();
        assertThat(new ExpiredException(tombstone)).hasMessageContaining(", before it was imported");
        assertThat(shell.idem(mayRunAgain).err()).contains("'w' had run before, at " + localToo);
    }

    private static String claimed(InProcess shell, String key) {
        return Iso.local(Instant.parse(
                String.valueOf(shell.idem("show", key, "--json").data().get("claimed_at"))));
    }

    /** The next call of {@code run} takes a tombstone away and runs. */
    @Test
    void aTombstoneGivesWayToWhatHasNotExpired() throws IOException {
        String[] done = {"run", "--key", "done", "--ttl", "1h", "--", "echo", "out"};
        String[] doubt = {
            "run", "--key", "doubt", "--ttl", "1h", "--", "sh", "-c", "[ -e " + folder + "/there ] || exit 3"
        };
        InProcess old = new InProcess(folder);
        assertThat(old.idem(done).exit()).isZero();
        assertThat(old.idem(doubt).exit()).isEqualTo(3);
        export(old);
        shell.idem(done);
        Files.createFile(folder.resolve("there"));
        assertThat(shell.idem(doubt).exit()).isZero();
        shell.clocks.advance(Duration.ofMinutes(90));
        assertThat(shell.idem("ls", "--state", "expired").out()).contains("done", "doubt");

        assertThat(shell.idem("import", "all.jsonl", "--dry-run", "--json").data())
                .containsEntry("imported", 2L);
        assertThat(shell.idem("import", "all.jsonl", "--json").data()).containsEntry("imported", 2L);
        assertThat(shell.idem(done).err()).contains("replay of 'done'");
        assertThat(shell.idem(doubt).exit()).isEqualTo(81);
    }

    @Test
    void aTombstoneCoversWhatHasExpiredOrMayRunAgain() throws IOException {
        InProcess old = new InProcess(folder);
        String[] gone = {"run", "--key", "gone", "--ttl", "1h", "--", "true"};
        String there = folder.resolve("there").toString();
        String[] failed = {"run", "--key", "failed", "--ttl", "1h", "--failed-exits", "1", "--", "test", "-e", there};
        old.idem(gone);
        old.clocks.advance(Duration.ofMinutes(90));
        old.idem(failed);
        export(old);
        shell.idem(gone);
        Files.createFile(folder.resolve("there"));
        assertThat(shell.idem(failed).exit()).isZero();
        shell.clocks.advance(Duration.ofMinutes(90));
        assertThat(shell.idem("import", "all.jsonl", "--json").data())
                .containsEntry("imported", 0L)
                .containsEntry("already_there", 2L);
    }

    private static Outcome<?> destroy(InProcess on, AtomicInteger ran, String what) {
        try (Idem idem = Idem.builder().ledger(on.ledger).quiet().open()) {
            return idem.operation("drop")
                    .identity(what)
                    .policy(Policy.destructive())
                    .attempt(call -> ran.incrementAndGet());
        }
    }

    @Test
    void aFailureThatIsKeptIsKeptOnTheNewLedger() throws IOException {
        InProcess old = new InProcess(folder);
        assertThat(declined(old)).isInstanceOf(Outcome.Failed.class);
        export(old);
        shell.idem("import", "all.jsonl");
        AtomicInteger ran = new AtomicInteger();
        try (Idem idem = Idem.builder().ledger(shell.ledger).quiet().open()) {
            Outcome<?> again = idem.operation("charge")
                    .key("c")
                    .policy(Policy.unset().keepFailures())
                    .attempt(call -> ran.incrementAndGet());
            assertThat(again.failure()).hasMessageContaining("card declined");
        }
        assertThat(ran).hasValue(0);
    }

    private static Outcome<?> declined(InProcess on) {
        try (Idem idem = Idem.builder().ledger(on.ledger).quiet().open()) {
            return idem.operation("charge")
                    .key("c")
                    .policy(Policy.unset().keepFailures())
                    .attempt(call -> {
                        throw new NotExecutedException("card declined");
                    });
        }
    }

    @Test
    void aDoubtIsAsOldAsItWasWhereItCameFrom() throws IOException {
        InProcess old = new InProcess(folder);
        RemoteKeys forgetful = new RemoteKeys("shop", Duration.ofHours(1));
        AtomicInteger ran = new AtomicInteger();
        try (Idem idem = Idem.builder().ledger(old.ledger).quiet().open()) {
            idem.operation("charge")
                    .key("c")
                    .policy(Policy.unset().passesKeyTo(forgetful))
                    .label("customer", "ann")
                    .attempt(call -> {
                        ran.incrementAndGet();
                        throw new IllegalStateException("lost");
                    });
        }
        export(old);
        shell.clocks.advance(Duration.ofHours(2));
        shell.idem("import", "all.jsonl");
        Entry entry = shell.ledger.find(new Address("default", "charge", "c")).orElseThrow();
        assertThat(entry.state()).isEqualTo(State.IN_DOUBT);
        assertThat(entry.labels()).containsEntry("customer", "ann");
        try (Idem idem = Idem.builder().ledger(shell.ledger).quiet().open()) {
            // The remote no longer knows the key: what runs again would charge twice.
            Outcome<?> again = idem.operation("charge")
                    .key("c")
                    .policy(Policy.unset().passesKeyTo(forgetful))
                    .attempt(call -> ran.incrementAndGet());
            assertThat(again).isInstanceOf(Outcome.InDoubt.class);
        }
        assertThat(ran).hasValue(1);
    }

    private void table(Object[]... rows) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("cache.db"));
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE idempotency_cache (key TEXT PRIMARY KEY, result TEXT NOT NULL, "
                    + "created_at REAL NOT NULL)");
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO idempotency_cache VALUES (?, ?, ?)")) {
                for (Object[] row : rows) {
                    insert.setObject(1, row[0]);
                    insert.setObject(2, row[1]);
                    insert.setObject(3, row[2]);
                    insert.executeUpdate();
                }
            }
        }
    }

    private static double ago(Duration time) {
        return Instant.now().minus(time).toEpochMilli() / 1000.0;
    }

    @Test
    void aTableOfResultsIsFoundByExecuteOnce() throws SQLException {
        table(
                new Object[] {"sub-1", "{\"plan\": \"pro\"}", ago(Duration.ofHours(1))},
                new Object[] {"t", "text", ago(Duration.ofHours(1))});
        assertThat(shell.idem("import", "cache.db", "--json").data()).containsEntry("imported", 2L);
        try (Idem idem = Idem.builder().ledger(shell.ledger).quiet().open()) {
            Object value = idem.executeOnce("sub-1", call -> {
                throw new AssertionError("it runs again");
            });
            assertThat(value).isEqualTo(Map.of("plan", "pro"));
        }
        assertThat(shell.idem("claim", "t", "--operation", "execute_once", "--json")
                        .data())
                .containsEntry("result", "text");
    }

    @Test
    void anIdThatIsNoKeyIsFoundByTheMatchingApi() throws SQLException, IOException {
        String odd = "Ann's order, 7 März " + "x".repeat(300);
        table(new Object[] {odd, "1", ago(Duration.ofHours(1))});
        Files.writeString(
                folder.resolve("states.jsonl"), Json.write(Map.of("id", odd, "state", "complete", "result", 2)));
        assertThat(shell.idem("import", "cache.db").exit()).isZero();
        assertThat(shell.idem("import", "states.jsonl").exit()).isZero();
        try (Idem idem = Idem.builder().ledger(shell.ledger).quiet().open();
                RequestStore store = RequestStore.builder().ledger(shell.ledger).open()) {
            assertThat(idem.executeOnce(odd, call -> "again")).isEqualTo(1L);
            assertThat(store.isProcessed(odd)).isTrue();
        }
        assertThat(shell.idem("ls").out()).contains("id=Ann's");
    }

    @Test
    void aTableOfResultsCanGoToAnotherOperation() throws SQLException {
        table(new Object[] {"sub-1", "1", ago(Duration.ofHours(1))});
        shell.idem("import", "cache.db", "--operation", "subscribe", "--scope", "shop");
        assertThat(shell.ledger.find(new Address("shop", "subscribe", "sub-1"))).isPresent();
    }

    @Test
    void aRowThatIsOlderThanItsRetentionHasExpired() throws SQLException {
        table(new Object[] {"old", "1", ago(Duration.ofDays(30))}, new Object[] {"young", "2", ago(Duration.ofHours(23))
        });
        assertThat(shell.idem("import", "cache.db", "--ttl", "1d", "--json").data())
                .containsEntry("imported", 1L)
                .containsEntry("expired", 1L);
        Address young = new Address("default", "execute_once", "young");
        assertThat(shell.ledger.find(young)).isPresent();
        shell.clocks.advance(Duration.ofHours(2));
        assertThat(shell.ledger.find(young)).isEmpty();
    }

    @Test
    void anEmptyIdRefusesItsLineAndANaNOnlyItsResult() throws SQLException, IOException {
        table(
                new Object[] {"a", "{\"x\": NaN}", ago(Duration.ofHours(1))},
                new Object[] {"", "1", ago(Duration.ofMinutes(59))},
                new Object[] {"c", "1", ago(Duration.ofMinutes(58))});
        Ran rows = shell.idem("import", "cache.db", "--json");
        assertThat(rows.exit()).isEqualTo(3);
        assertThat(rows.data()).containsEntry("imported", 2L).containsEntry("refused_lines", 1L);
        assertThat(rows.data().get("refused").toString()).contains("line=2", "an id is empty");
        assertThat(unavailable("execute_once", "a")).contains("NaN");

        Files.writeString(folder.resolve("states.jsonl"), """
                {"id":"r1","state":"complete","result":NaN}
                {"id":7,"state":"complete"}
                {"id":null,"state":"complete"}
                {"id":"r3","state":"complete","result":1}
                {"id":"r4","state":"failed","error":"timeout"}
                """);
        Ran lines = shell.idem("import", "states.jsonl");
        assertThat(lines.exit()).isEqualTo(3);
        assertThat(lines.err()).contains("1 lines can't be read", "Line 3: its id is neither a text nor a number");
        assertThat(unavailable("request", "r1")).contains("NaN");
        assertThat(shell.ledger.find(new Address("default", "request", "7"))).isPresent();
        assertThat(shell.ledger.find(new Address("default", "request", "r3"))).isPresent();
        assertThat(shell.ledger
                        .find(new Address("default", "request", "r4"))
                        .orElseThrow()
                        .state())
                .isEqualTo(State.IN_DOUBT);
    }

    /** Why a complete entry has no result. */
    private String unavailable(String operation, String key) {
        Entry entry = shell.ledger.find(new Address("default", operation, key)).orElseThrow();
        return ((Result.Unavailable) Objects.requireNonNull(entry.result())).why();
    }

    @Test
    void aLaterLineThatHasExpiredTakesThePlaceOfAnEarlierOne() throws IOException {
        Files.writeString(folder.resolve("states.jsonl"), """
                {"id":"r1","state":"in_progress","ts":1767225600}
                {"id":"r1","state":"complete","result":1,"ts":1767225601}
                """);
        assertThat(shell.idem("import", "states.jsonl", "--ttl", "7d", "--json").data())
                .containsEntry("imported", 0L)
                .containsEntry("expired", 1L);
    }

    /** Such a file has no expiry, so a request of last year ran again. */
    @Test
    void requestsOfAnOldFileAreKeptForGoodUnlessATtlIsGiven() throws IOException, SQLException {
        Files.writeString(folder.resolve("states.jsonl"), """
                {"id": "req-001", "state": "complete", "result": {"order": 7}, "ts": 1748107200}
                {"id": "req-002", "state": "in_progress", "ts": 1748107201}
                {"id": "req-003", "state": "failed", "error": "timeout", "ts": 1748107202}
                {"id": "iso", "state": "complete", "result": 1, "ts": "2025-05-24T17:20:00.5+00:00"}
                """);
        table(new Object[] {"row", "1", 1748107200.0});
        Ran limited = shell.idem("import", "states.jsonl", "--ttl", "7d", "--dry-run", "--json");
        assertThat(limited.data()).containsEntry("imported", 2L).containsEntry("expired", 2L);

        Ran ran = shell.idem("import", "states.jsonl", "--json");
        assertThat(ran.exit()).isZero();
        assertThat(ran.data()).containsEntry("imported", 4L).containsEntry("expired", 0L);
        assertThat(shell.idem("import", "cache.db", "--json").data()).containsEntry("imported", 1L);
        shell.clocks.advance(Duration.ofDays(3650));
        try (RequestStore store = RequestStore.builder().ledger(shell.ledger).open()) {
            assertThat(store.result("req-001").orElseThrow().value()).isEqualTo(Map.of("order", 7L));
            assertThat(store.state("req-002")).contains(State.IN_DOUBT);
            assertThat(store.state("req-003")).contains(State.IN_DOUBT);
        }
        assertThat(shell.idem("why", "iso").out()).contains("2025-05-24");
        assertThat(shell.ledger.find(new Address("default", "execute_once", "row")))
                .isPresent();
    }

    /** The mark at the beginning cost the first request, and the byte all of them. */
    @Test
    void aByteOrderMarkIsSkippedAndALineThatIsNotUtf8IsNamed() throws IOException {
        Files.write(
                folder.resolve("states.jsonl"),
                ("\u00ef\u00bb\u00bf{\"id\":\"first\",\"state\":\"complete\"}\r\n"
                                + "{\"id\":\"latin\",\"state\":\"complete\",\"result\":\"caf\u00e9\"}\n"
                                + "{\"id\":\"last\",\"state\":\"complete\"}\n")
                        .getBytes(StandardCharsets.ISO_8859_1));
        Ran ran = shell.idem("import", "states.jsonl", "--json");
        assertThat(ran.exit()).isEqualTo(3);
        assertThat(ran.data()).containsEntry("imported", 2L);
        assertThat(ran.error().get("message").toString()).contains("Line 2: it is not UTF-8");
        assertThat(shell.ledger.find(new Address("default", "request", "first")))
                .isPresent();
    }

    /** Only its last element looked like a line. */
    @Test
    void aJsonArrayIsRefusedAndNothingIsTakenOver() throws IOException {
        Files.writeString(folder.resolve("states.json"), """
                [{"id":"a","state":"complete"},
                {"id":"b","state":"complete"}
                ]
                """);
        Ran ran = shell.idem("import", "states.json");
        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.err()).contains("is a JSON array", "jq -c '.[]'");
        assertThat(shell.ledger.find(new Address("default", "request", "b"))).isEmpty();
    }

    @Test
    void aFileThatIsNoneChangesNothing() throws IOException {
        Files.write(folder.resolve("picture"), new byte[] {(byte) 0x89, 'P', 'N', 'G', (byte) 0xff, (byte) 0xfe, 0});
        Ran binary = shell.idem("import", "picture");
        assertThat(binary.exit()).isEqualTo(2);
        assertThat(binary.err())
                .contains("has no line that can be taken over; line 1: it is not UTF-8")
                .doesNotContain("Exception");
        Files.writeString(folder.resolve("bad.jsonl"), "{\"id\":7}\nnonsense\n");
        Ran text = shell.idem("import", "bad.jsonl");
        assertThat(text.exit()).isEqualTo(2);
        assertThat(text.err()).contains("has no line that can be taken over; line 1: its state is none of");
    }

    @Test
    void anExportWithoutResultsIsToldWhenItIsTakenOver() throws IOException {
        InProcess old = new InProcess(folder);
        old.idem("run", "--key", "k", "--", "echo", "out");
        Files.writeString(folder.resolve("all.jsonl"), old.idem("export").out());
        Ran ran = shell.idem("import", "all.jsonl");
        assertThat(ran.exit()).isZero();
        assertThat(ran.err()).contains("1 results are not in the file").contains("--with-results");
    }

    @Test
    void whatIsExportedAgainIsTheSame() throws IOException {
        InProcess old = new InProcess(folder);
        old.idem("run", "--key", "done", "--label", "customer=ann", "--", "echo", "out");
        old.idem("run", "--key", "no", "--failed-exits", "4", "--", "sh", "-c", "exit 4");
        old.idem("run", "--key", "d", "--", "false");
        declined(old);
        export(old);
        List<String> first = comparable();
        shell.idem("import", "all.jsonl");
        export(shell);
        assertThat(comparable()).isEqualTo(first);
    }

    /** What has to be the same, line by line. */
    private List<String> comparable() throws IOException {
        return Files.readAllLines(folder.resolve("all.jsonl")).stream()
                .map(line -> line.replaceAll(
                                "\"((created|claimed|settled|expires)_at|tombstone_until)\":\"[^\"]*\",?", "")
                        .replaceAll("\"doubt_since\":\"[^\"]*\",?", "")
                        .replaceAll("\"imported_run\":\"[^\"]*\",?", "")
                        .replace(",}", "}"))
                .sorted()
                .toList();
    }
}
