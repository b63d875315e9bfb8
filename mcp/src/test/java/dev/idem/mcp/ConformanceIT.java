package dev.idem.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.Json;
import dev.idem.testkit.Thorough;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The official conformance suite finds the same in a server with and without the guard in front of it. */
@Tag("proof")
class ConformanceIT {
    private static final long MINUTES = 3;

    /**
     * The guard takes a stream up again by itself, so that its host gets one answer. The scenario wants to see the cut
     * stream; hosts that do not poll would get no answer then.
     */
    private static final String DONE_BY_THE_GUARD = "server-server-sse-polling";

    @TempDir
    Path folder;

    /** The suite run for one revision, with and without the guard. */
    private final class Comparison implements AutoCloseable {
        private final Path results;
        private final NodeServer server;
        private final Idem idem = Idem.builder().ledger("memory:").quiet().open();
        private final HttpProxy proxy;
        private final Process alone;
        private final Process guarded;

        Comparison(String revision, Path results) throws IOException {
            NodePackages packages = NodePackages.orSkip();
            NodePackages suite = NodePackages.suiteOrSkip();
            this.results = results;
            server = NodeServer.fixture(packages, folder.resolve("effects"));
            // The suite makes the same call in many of its scenarios, and means each of them: also after a request with
            // wrong headers, which the server refuses. For the guard that is an error like any other, after which it
            // does not know what ran.
            String refused = ": {failed_on: [\"*header*\"]}";
            McpOptions options = McpOptions.of("fixture")
                    .repeatWindow(Duration.ofMillis(1))
                    .rules(McpRules.parse(
                            "{version: 1, tools: {append" + refused + ", test_x_mcp_header" + refused + "}}", "rules"));
            proxy = new HttpProxy(idem, options, server.url());
            alone = start(suite, server.url(), revision, results.resolve("alone"));
            guarded = start(suite, proxy.start("127.0.0.1", 0), revision, results.resolve("guarded"));
        }

        /** Whether the suite could be run: on a very busy machine it fails without a guard too, by its own time limits. */
        boolean isWithoutDifference() throws Exception {
            Map<String, String> found = checks(alone, results.resolve("alone"));
            assertThat(found).hasSizeGreaterThan(50);
            if (found.values().stream().anyMatch(status -> status.startsWith("FAILURE"))) {
                return false;
            }
            assertThat(differences(found, checks(guarded, results.resolve("guarded"))))
                    .isEmpty();
            return true;
        }

        @Override
        public void close() throws IOException {
            alone.destroyForcibly();
            guarded.destroyForcibly();
            proxy.close();
            idem.close();
            server.close();
        }
    }

    @ParameterizedTest
    @MethodSource("revisions")
    void aGuardedServerPassesWhatItPassesAlone(String revision) throws Exception {
        for (int i = 1; ; i++) {
            try (Comparison comparison = new Comparison(revision, folder.resolve("try-" + i))) {
                if (comparison.isWithoutDifference()) {
                    return;
                }
            }
            assertThat(i).as("tries in which the suite fails without a guard").isLessThan(3);
        }
    }

    static Stream<String> revisions() {
        return Stream.of("2026-07-28", "2025-11-25").limit(Thorough.times(1, 2));
    }

    /** The suite plays the server, and looks at what a client and the guard before it send. */
    @Test
    void aClientBehindTheGuardDoesWhatServersExpect() throws Exception {
        NodePackages packages = NodePackages.orSkip();
        NodePackages suite = NodePackages.suiteOrSkip();
        Map<String, String> revisions = Map.of(
                "sse-retry", "2025-11-25",
                "http-custom-headers", "2026-07-28",
                "request-metadata", "2026-07-28",
                "sep-2322-client-request-state", "2026-07-28");
        try (GuardsOnDemand guards = new GuardsOnDemand()) {
            Map<String, Process> running = new TreeMap<>();
            for (Map.Entry<String, String> each : revisions.entrySet()) {
                String script = String.join(" ", packages.script("conformance-client.mjs"));
                List<String> command = HostKind.with(suite.suite(), "client", "--command", script);
                ProcessBuilder builder = new ProcessBuilder(HostKind.with(
                                command,
                                "--scenario",
                                each.getKey(),
                                "--spec-version",
                                each.getValue(),
                                "-o",
                                folder.resolve(each.getKey()).toString()))
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD);
                builder.environment().put("GUARDS", guards.url().toString());
                running.put(each.getKey(), builder.start());
            }
            for (Map.Entry<String, Process> each : running.entrySet()) {
                Map<String, String> found = checks(each.getValue(), folder.resolve(each.getKey()));
                assertThat(found)
                        .as(each.getKey())
                        .containsValue("SUCCESS")
                        .allSatisfy(
                                (check, status) -> assertThat(status).as(check).doesNotStartWith("FAILURE"));
            }
            assertThat(guards.started()).isEqualTo(revisions.size());
        }
    }

    private static Process start(NodePackages suite, URI url, String revision, Path results) throws IOException {
        List<String> command = HostKind.with(suite.suite(), "server", "--url", url.toString(), "--suite", "all");
        return new ProcessBuilder(HostKind.with(command, "--spec-version", revision, "-o", results.toString()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Waits for the suite. Gives the worst status of each check, with its message where it has failed. */
    private static Map<String, String> checks(Process process, Path results) throws Exception {
        try {
            process.getOutputStream().close();
            assertThat(process.waitFor(MINUTES, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        Map<String, String> found = new TreeMap<>();
        try (Stream<Path> files = Files.walk(results)) {
            for (Path file : files.filter(each -> each.endsWith("checks.json")).toList()) {
                String scenario = file.getParent().getFileName().toString().replaceAll("-20[0-9]{2}-.*", "");
                read(file)
                        .forEach(check ->
                                found.merge(scenario + ": " + check.get("id"), status(check), ConformanceIT::worse));
            }
        }
        return found;
    }

    private static List<String> differences(Map<String, String> alone, Map<String, String> guarded) {
        return Stream.concat(alone.keySet().stream(), guarded.keySet().stream())
                .distinct()
                .filter(check -> !check.startsWith(DONE_BY_THE_GUARD))
                .filter(check -> !Objects.equals(alone.get(check), guarded.get(check)))
                .map(check -> check + " was " + alone.get(check) + ", and is " + guarded.get(check))
                .toList();
    }

    private static List<Map<?, ?>> read(Path checks) throws IOException {
        return ((List<?>) Json.parse(Files.readString(checks)))
                .stream().<Map<?, ?>>map(check -> (Map<?, ?>) check).toList();
    }

    private static String status(Map<?, ?> check) {
        Object message = check.get("errorMessage");
        return check.get("status") + (message == null ? "" : ": " + message);
    }

    private static String worse(String one, String other) {
        return one.startsWith("FAILURE") ? one : other.startsWith("FAILURE") ? other : one;
    }
}
