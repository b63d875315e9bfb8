package dev.idem.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The revision without sessions, in which a server asks for input by its result. */
class StatelessRevisionIT {
    private static final String REVISION = "2026-07-28";
    private static final Map<String, Object> LINE = Map.of("line", "one");

    @TempDir
    Path folder;

    private NodePackages packages;
    private List<String> server;

    @BeforeEach
    void install() {
        packages = NodePackages.orSkip();
        server = HostKind.with(
                packages.script("fixture.mjs"),
                "stdio",
                folder.resolve("effects").toString());
    }

    private NodeHost host(List<String> command) throws IOException {
        return new NodeHost(
                HostKind.with(
                        packages.script("typescript-2.mjs"), folder.toUri().toString(), REVISION),
                command);
    }

    private List<String> effects() throws IOException {
        return Files.readAllLines(folder.resolve("effects"));
    }

    @Test
    @Tag("proof")
    void withoutTheGuardEveryCallHasAnEffect() throws Exception {
        try (NodeHost host = host(server)) {
            host.call("append", LINE);
            host.call("append", LINE);
            host.call("append_if_confirmed", LINE);
            host.call("append_if_confirmed", LINE);
        }
        assertThat(effects()).hasSize(4);
    }

    @Test
    void aCallIsMadeOnceAndSoIsOneThatAsksFirst() throws Exception {
        try (NodeHost host = host(GuardProcess.before(server, folder))) {
            assertThat(host.ask("version", Map.of())).isEqualTo(REVISION);
            Map<?, ?> first = host.call("append", LINE);
            Map<?, ?> second = host.call("append", LINE);

            assertThat(ClientHost.status(first)).isEmpty();
            assertThat(ClientHost.status(second)).isEqualTo("replayed");
            assertThat((Map<?, ?>) second.get("_meta"))
                    .as("beside what the server has put there")
                    .matches(meta -> meta.containsKey("dev.idem/key"));
            for (Map<?, ?> each : List.of(first, second)) {
                assertThat(ClientHost.text(each)).startsWith("appended one");
                assertThat(each.get("x-unknown")).isEqualTo("kept");
                assertThat(((Map<?, ?>) each.get("_meta")).get("com.example/kept"))
                        .isEqualTo(((Map<?, ?>) first.get("_meta")).get("com.example/kept"))
                        .isNotNull();
            }

            Map<?, ?> asked = host.call("append_if_confirmed", LINE);
            Map<?, ?> again = host.call("append_if_confirmed", LINE);
            assertThat(ClientHost.text(asked)).isEqualTo("appended one after a question");
            assertThat(ClientHost.status(asked)).isEmpty();
            assertThat(ClientHost.text(again)).startsWith(ClientHost.text(asked));
            assertThat(ClientHost.status(again)).isEqualTo("replayed");
        }
        assertThat(effects()).containsExactly("one", "one");
    }

    /** A client refuses a result without a type in this revision. */
    @Test
    void aResultOfAnEarlierRevisionIsReplayedToALaterOne() throws Exception {
        List<String> guard = GuardProcess.before(server, folder);
        try (ClientHost host = HostKind.LANGCHAIN4J.starting(packages, guard, folder)) {
            assertThat(host.tools()).contains("append");
            assertThat(host.call("append", LINE).get("resultType")).isNull();
        }
        try (NodeHost host = host(guard)) {
            assertThat(host.ask("version", Map.of())).isEqualTo(REVISION);
            assertThat(ClientHost.status(host.call("append", LINE))).isEqualTo("replayed");
        }
        assertThat(effects()).containsExactly("one");
    }
}
