package dev.idem.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.Json;
import dev.idem.State;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import dev.idem.testkit.Thorough;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The reference servers behind the guard, called by hosts that are made with other people's clients. */
class RealServersIT {

    @TempDir
    Path folder;

    private NodePackages packages;
    private Path file;

    @BeforeEach
    void install() throws IOException {
        packages = NodePackages.orSkip();
        file = Files.writeString(folder.resolve("list.txt"), "end\n");
    }

    /** An edit that changes the file each time it is made. */
    private static Map<String, Object> edit(Path file) {
        return Map.of(
                "path", file.toString(), "edits", List.of(Map.of("oldText", "end", "newText", "one more line\nend")));
    }

    private List<String> filesystem() {
        return HostKind.with(packages.server("filesystem"), folder.toString());
    }

    private List<String> memory() {
        return List.of(
                "env",
                "MEMORY_FILE_PATH=" + folder.resolve("memory.jsonl"),
                "node",
                packages.server("memory").get(1));
    }

    private static Map<String, Object> observation() {
        return Map.of("observations", List.of(Map.of("entityName", "Ann", "contents", List.of("likes tea"))));
    }

    private static Map<String, Object> entity() {
        return Map.of(
                "entities", List.of(Map.of("name", "Ann", "entityType", "person", "observations", List.of("is kind"))));
    }

    @Test
    @Tag("proof")
    void withoutTheGuardAnEditIsMadeTwice() throws Exception {
        try (ClientHost host = HostKind.TYPESCRIPT_1.starting(packages, filesystem(), folder)) {
            host.call("edit_file", edit(file));
            host.call("edit_file", edit(file));
        }
        assertThat(file).content().isEqualTo("one more line\none more line\nend\n");
    }

    /** All hosts share a ledger, so each of them also gets what the one before it has done. */
    @Test
    void anEditIsMadeOnceByAllHostsTogether() throws Exception {
        List<String> guard = GuardProcess.before(filesystem(), folder);
        Map<?, ?> before = null;
        Map<String, Object> beforeEdit = edit(file);
        for (HostKind kind : HostKind.values()) {
            Path own = Files.writeString(folder.resolve(kind + ".txt"), "end\n");
            try (ClientHost host = kind.starting(packages, guard, folder)) {
                assertThat(host.tools()).as("of %s", kind).contains("edit_file", "write_file");
                if (before != null) {
                    assertReplayed(host.call("edit_file", beforeEdit), before);
                }
                Map<?, ?> first = host.call("edit_file", edit(own));

                assertThat(ClientHost.text(first)).as("by %s", kind).contains("+one more line");
                assertThat(ClientHost.status(first)).isEmpty();
                assertReplayed(host.call("edit_file", edit(own)), first);
                before = first;
                beforeEdit = edit(own);
            }
        }
        for (HostKind kind : HostKind.values()) {
            assertThat(folder.resolve(kind + ".txt")).content().isEqualTo("one more line\nend\n");
        }
    }

    private static void assertReplayed(Map<?, ?> again, Map<?, ?> first) {
        assertThat(ClientHost.text(again)).startsWith(ClientHost.text(first)).contains("Nothing was run now");
        assertThat(again.get("structuredContent")).isEqualTo(first.get("structuredContent"));
        assertThat(ClientHost.status(again)).isEqualTo("replayed");
    }

    /** The tool has a schema for its results, and clients check results against it. */
    @Test
    void whatAPersonHasFoundOutReachesTheHost() throws Exception {
        Map<String, Object> wrong = Map.of(
                "path", file.toString(), "edits", List.of(Map.of("oldText", "not there", "newText", "anything")));
        try (ClientHost host =
                HostKind.TYPESCRIPT_1.starting(packages, GuardProcess.before(filesystem(), folder), folder)) {
            assertThat(host.tools()).contains("edit_file");
            assertThat(ClientHost.text(host.call("edit_file", wrong))).contains("Could not find exact match");
            try (Idem idem = Idem.builder()
                    .ledger("sqlite:" + folder.resolve("idem.db"))
                    .quiet()
                    .open()) {
                Entry entry = idem.ledger()
                        .as(Browsable.class)
                        .orElseThrow()
                        .browse(Query.all())
                        .entries()
                        .get(0);
                assertThat(entry.state()).isEqualTo(State.IN_DOUBT);
                idem.resolve(entry).by("ann").because("done by hand").asComplete("the file is right now");
            }
            assertThat(ClientHost.text(host.call("edit_file", wrong)))
                    .contains("has taken effect", "the file is right now");
        }
    }

    @Test
    @Tag("proof")
    void withoutTheGuardASecondObservationIsAnsweredDifferently() throws Exception {
        try (ClientHost host = HostKind.TYPESCRIPT_1.starting(packages, memory(), folder)) {
            host.call("create_entities", entity());
            assertThat(ClientHost.text(host.call("add_observations", observation())))
                    .contains("likes tea");
            assertThat(ClientHost.text(host.call("add_observations", observation())))
                    .doesNotContain("likes tea");
        }
    }

    @Test
    void anObservationIsAnsweredAsTheFirstTime() throws Exception {
        try (ClientHost host = HostKind.JAVA_SDK.starting(packages, GuardProcess.before(memory(), folder), folder)) {
            host.call("create_entities", entity());
            Map<?, ?> first = host.call("add_observations", observation());
            Map<?, ?> second = host.call("add_observations", observation());

            assertThat(ClientHost.text(first)).contains("likes tea");
            assertThat(ClientHost.text(second))
                    .startsWith(ClientHost.text(first))
                    .contains("Nothing was run now");
            assertThat(ClientHost.status(second)).isEqualTo("replayed");
        }
        assertThat(folder.resolve("memory.jsonl")).content().containsOnlyOnce("likes tea");
    }

    @Test
    void aToolThatTheServerDeclaresAsAReadIsNeverAnsweredFromTheRecord() throws Exception {
        McpOptions options = McpOptions.of("memory").trustsHints(true);
        try (Idem idem = Idem.builder().ledger("memory:").quiet().open();
                TestHost host = new TestHost(idem, options, Duration.ofSeconds(20), folder, memory())) {
            host.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
                    + "\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}}");
            host.answer(1);
            host.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
            host.send("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}");
            host.answer(2);

            assertThat(TestHost.text(host.ask(3, "read_graph", "{}"))).doesNotContain("Ann");
            host.ask(4, "create_entities", Json.write(entity()));
            assertThat(TestHost.text(host.ask(5, "read_graph", "{}"))).contains("Ann");
        }
    }

    static Stream<HostKind> kinds() {
        return Thorough.first(1, HostKind.TYPESCRIPT_1, HostKind.TYPESCRIPT_2, HostKind.JAVA_SDK, HostKind.LANGCHAIN4J);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aServerAsksItsHostThroughTheGuard(HostKind kind) throws Exception {
        List<String> everything = HostKind.with(packages.server("everything"), "stdio");
        try (ClientHost host = kind.starting(packages, GuardProcess.before(everything, folder), folder)) {
            awaitTool(host, "get-roots-list");
            assertThat(ClientHost.text(host.call("echo", Map.of("message", "äöü \u2028 €"))))
                    .isEqualTo("Echo: äöü \u2028 €");
            assertThat(ClientHost.text(host.call("get-roots-list", Map.of())))
                    .contains(folder.toUri().toString());
            if (kind.answersServers()) {
                assertThat(ClientHost.text(host.call("trigger-sampling-request", Map.of("prompt", "hello"))))
                        .contains("sampled by the host");
                assertThat(ClientHost.text(host.call("trigger-elicitation-request", Map.of())))
                        .contains("Name: Ann");
            }
            if (kind == HostKind.TYPESCRIPT_1) {
                assertRunsAfterALinkWasOpened(host);
            }
            host.call("trigger-long-running-operation", Map.of("duration", 0.3, "steps", 3));
            // The TypeScript SDK drops a progress that it reads together with the answer.
            long least = kind == HostKind.TYPESCRIPT_1 || kind == HostKind.TYPESCRIPT_2 ? 2 : 3;
            Eventually.isTrue(
                    "the host has heard it",
                    () -> host.heard().stream()
                                    .filter("notifications/progress"::equals)
                                    .count()
                            >= least);
            // The server logs that it has got the roots.
            Eventually.isTrue("a log", () -> host.heard().contains("notifications/message"));
        }
    }

    private static void assertRunsAfterALinkWasOpened(ClientHost host) throws Exception {
        Map<String, Object> arguments =
                Map.of("url", "https://example.com", "message", "open it", "elicitationId", "e-1", "errorPath", true);
        awaitTool(host, "trigger-url-elicitation");
        assertThatThrownBy(() -> host.call("trigger-url-elicitation", arguments))
                .hasMessageContaining("-32042");
        assertThat(ClientHost.text(host.call("trigger-url-elicitation", arguments)))
                .contains("User completed the URL elicitation flow");
    }

    /** The server offers some tools only after it has asked the host for its roots. */
    private static void awaitTool(ClientHost host, String tool) throws Exception {
        Eventually.isTrue("the tool " + tool, () -> host.tools().contains(tool));
    }
}
