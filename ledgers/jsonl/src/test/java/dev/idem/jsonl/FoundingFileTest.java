package dev.idem.jsonl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.AlreadyProcessed;
import dev.idem.Entry;
import dev.idem.InDoubtException;
import dev.idem.LedgerUnreadableException;
import dev.idem.RequestStore;
import dev.idem.ResultUnavailableException;
import dev.idem.State;
import dev.idem.spi.Ledger;
import dev.idem.testkit.LogLines;
import dev.idem.testkit.MemoryFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A file of request states that a simpler program has written is taken over whole. */
class FoundingFileTest {
    private static final String LINES = """
            {"id": "req-001", "state": "in_progress", "ts": 1748107199.5}
            {"id": "req-001", "state": "complete", "result": {"order": 7, "total": 12.50, "note": "caf\\u00e9"}, "ts": 1748107200}
            {"id": "req-002", "state": "in_progress", "ts": 1748107201}

            {"id": "req-003", "state": "failed", "error": "timeout", "ts": 1748107202.123456}
            {"id": "req-004", "state": "complete", "result": null, "ts": 1748107203}
            """;

    @TempDir(factory = MemoryFolder.class)
    Path folder;

    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = folder.resolve("idempotency-keys.jsonl");
        Files.writeString(file, LINES);
    }

    private static Entry entry(Ledger ledger, String id) {
        return ledger.find(new Address("default", "request", id)).orElseThrow();
    }

    @Test
    void itsRequestsAreKnown() {
        try (RequestStore store = RequestStore.open("jsonl:" + file)) {
            assertThat(store.isProcessed("req-001")).isTrue();
            assertThat(store.result("req-001").orElseThrow().value())
                    .isEqualTo(Map.of("order", 7L, "total", 12.5, "note", "café"));
            assertThat(store.result("req-001").orElseThrow().completedAt())
                    .isEqualTo(Instant.ofEpochSecond(1748107200));
            assertThatThrownBy(() -> store.markInProgress("req-001")).isInstanceOf(AlreadyProcessed.class);
            assertThat(store.state("req-002")).contains(State.IN_DOUBT);
            assertThatThrownBy(() -> store.markInProgress("req-002"))
                    .isInstanceOf(InDoubtException.class)
                    .hasMessageContaining("taken over");
            assertThat(store.state("req-003")).contains(State.IN_DOUBT);
            assertThat(store.isProcessed("req-004")).isTrue();
            assertThat(store.result("req-004").orElseThrow().value()).isNull();
            assertThat(store.resolve("req-003").by("ann").asFailed()).isTrue();
            store.markInProgress("req-003");
            store.markComplete("req-003", "now it went well");
        }
        try (RequestStore store = RequestStore.open("jsonl:" + file)) {
            assertThat(store.result("req-003").orElseThrow().value()).isEqualTo("now it went well");
            assertThat(store.isProcessed("req-001")).isTrue();
        }
    }

    /** A time-out after the effect was taken over as a failure without one, and the request ran again. */
    @Test
    void aRequestThatWasMarkedAsFailedIsInDoubt() {
        try (RequestStore store = RequestStore.open("jsonl:" + file)) {
            assertThatThrownBy(() -> store.markInProgress("req-003"))
                    .isInstanceOf(InDoubtException.class)
                    .hasMessageContaining("the action ended with error");
        }
    }

    @Test
    void theFileAsItWasIsKeptAndFencesGoOn() throws IOException {
        try (Ledger ledger = Fixtures.open(file)) {
            assertThat(entry(ledger, "req-003").failure().message()).isEqualTo("timeout");
            assertThat(entry(ledger, "req-003").times().settled())
                    .isEqualTo(Instant.parse("2025-05-24T17:20:02.123456Z"));
            assertThat(Fixtures.take(ledger, "next").fence().number()).isEqualTo(5);
        }
        assertThat(folder.resolve("idempotency-keys.jsonl.original")).hasContent(LINES);
    }

    @Test
    void aLastLineThatIsTornIsLeftOut() throws IOException {
        Files.writeString(file, LINES + "{\"id\": \"req-005\", \"sta");
        try (Ledger ledger = Fixtures.open(file)) {
            assertThat(entry(ledger, "req-004").state()).isEqualTo(State.COMPLETE);
            assertThat(ledger.find(new Address("default", "request", "req-005")))
                    .isEmpty();
        }
        assertThat(folder.resolve("idempotency-keys.jsonl.original")).content().endsWith("\"sta");
    }

    @Test
    void aLastLineWithoutAnEndCounts() throws IOException {
        Files.writeString(file, LINES.stripTrailing());
        try (Ledger ledger = Fixtures.open(file)) {
            assertThat(entry(ledger, "req-004").state()).isEqualTo(State.COMPLETE);
        }
    }

    /** A process died in the middle of a line, and the next one wrote on; the whole file was refused. */
    @Test
    void aLineThatCanNotBeReadIsLeftOutAndNamedAndNotTheFile() throws IOException {
        Files.writeString(
                file,
                "{\"id\": \"torn\", \"state\": \"in_pro{\"id\": \"next\", \"state\": \"complete\"}\n"
                        + LINES.replace("\"req-003\", \"state\": \"failed\"", "\"req-003\", \"state\": failed")
                        + "{\"id\": null, \"state\": \"complete\"}\n{\"id\": \"\", \"state\": \"complete\"}\n");
        try (LogLines log = LogLines.of(Opening.class.getName());
                Ledger ledger = Fixtures.open(file)) {
            assertThat(String.join("\n", log.warnings()))
                    .contains("4 lines of", "line 1: it is not JSON", "line 6: its state is none of", "line 8: its id")
                    .contains("line 9: an id is empty", "may run again");
            assertThat(entry(ledger, "req-001").state()).isEqualTo(State.COMPLETE);
            assertThat(entry(ledger, "req-004").state()).isEqualTo(State.COMPLETE);
        }
    }

    @Test
    void aFileWithoutAReadableLineIsLeftAsItIs() throws IOException {
        Files.writeString(file, "{\"level\": \"INFO\"}\nready\n");
        assertThatThrownBy(() -> Fixtures.open(file))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("nor a file of request states: line 1");
        assertThat(file).hasContent("{\"level\": \"INFO\"}\nready\n");
        assertThat(folder.resolve("idempotency-keys.jsonl.original")).doesNotExist();
    }

    @Test
    void aByteOrderMarkIsSkippedAndATimeMayBeText() throws IOException {
        Files.writeString(
                file,
                "\ufeff{\"id\": \"a\", \"state\": \"complete\", \"ts\": \"2025-05-24T17:20:00Z\"}\n"
                        + "{\"id\": \"b\", \"state\": \"complete\", \"ts\": \"2025-05-24 17:20:00.5\"}\n");
        try (Ledger ledger = Fixtures.open(file)) {
            assertThat(entry(ledger, "a").times().settled()).isEqualTo(Instant.parse("2025-05-24T17:20:00Z"));
            assertThat(entry(ledger, "b").times().settled()).isEqualTo(Instant.parse("2025-05-24T17:20:00.5Z"));
        }
    }

    /** Only its last element looked like a line. */
    @Test
    void aJsonArrayIsLeftAsItIs() throws IOException {
        String array = "[{\"id\": \"a\", \"state\": \"complete\"},\n{\"id\": \"b\", \"state\": \"complete\"}\n]\n";
        Files.writeString(file, array);
        assertThatThrownBy(() -> Fixtures.open(file))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("is a JSON array")
                .hasMessageContaining("jq -c '.[]'");
        assertThat(file).hasContent(array);
    }

    /** Its lines hold no secret and much truth, but they are not those of a simpler program. */
    @Test
    void aLedgerWithoutItsFirstLineIsNotTakenForAFoundingFile() throws IOException {
        Path ledgerFile = folder.resolve("idem.jsonl");
        try (Ledger ledger = Fixtures.open(ledgerFile)) {
            Fixtures.complete(ledger, "done");
        }
        String lines = Files.readString(ledgerFile);
        String headless = LINES + lines.substring(lines.indexOf('\n') + 1);
        Files.writeString(ledgerFile, headless);
        assertThatThrownBy(() -> Fixtures.open(ledgerFile))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("a ledger whose first line is missing");
        assertThat(ledgerFile).hasContent(headless);
    }

    /** Ids as Python's json.dumps writes them, and as the handler has them. */
    static List<Arguments> ids() {
        return List.of(
                Arguments.of("\"two words\"", "two words"),
                Arguments.of("\"caf\\u00e9 \\\"7\\\"\\n\"", "café \"7\"\n"),
                Arguments.of("\"half \\ud83d\"", "half \ud83d"),
                Arguments.of("42", "42"),
                Arguments.of("-7", "-7"),
                Arguments.of("1e+16", "1e+16"),
                Arguments.of("true", "True"));
    }

    /** The file was refused for an id with a space, or a number. */
    @ParameterizedTest
    @MethodSource("ids")
    void anIdOfAnyFormIsTakenOver(String json, String id) throws IOException {
        Files.writeString(
                file, "{\"id\": " + json + ", \"state\": \"complete\", \"result\": 7, \"ts\": 1748107200.5}\n");
        try (RequestStore store = RequestStore.open("jsonl:" + file)) {
            assertThat(store.result(id).orElseThrow().value()).isEqualTo(7L);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NaN",
                "{\"a\": [1, -Infinity]}",
                "{\"1\": 1, \"1\": 2}",
                "\"half \\ud83d\"",
                "{\"text\": \"}\\\"{\", \"x\": NaN}"
            })
    void aResultThatIsNoJsonIsLostAndItsRequestIsComplete(String result) throws IOException {
        Files.writeString(
                file,
                LINES + "{\"id\": \"req-9\", \"state\": \"complete\", \"result\": " + result
                        + ", \"ts\": 1748107200}\n");
        try (RequestStore store = RequestStore.open("jsonl:" + file)) {
            assertThat(store.isProcessed("req-9")).isTrue();
            assertThatThrownBy(() -> store.result("req-9")).isInstanceOf(ResultUnavailableException.class);
            assertThatThrownBy(() -> store.markInProgress("req-9")).isInstanceOf(AlreadyProcessed.class);
            assertThat(store.isProcessed("req-001")).isTrue();
        }
    }
}
