package dev.idem.packages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.cli.Resident;
import dev.idem.testkit.Thorough;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs programs beside the command line of this checkout, in a home of their own. */
final class Programs {
    static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();
    private static final long MINUTES = 15;
    /** In each build; with {@code -Pproof} all of them. */
    private static final List<String> MOST_TELLING = List.of(
            "runs-once-and-replays",
            "values-are-kept",
            "claim-answer-is-lost",
            "settle-answer-is-lost",
            "a-claim-is-given-up-and-withdrawn",
            "the-server-dies-during-actions",
            "the-server-falls-silent",
            "another-ledger-after-a-restart",
            "the-client-is-killed-during-an-action",
            "the-lease-is-over-before-the-action",
            "the-limit-is-over-before-the-action",
            "calls-share-only-what-is-equal",
            "another-identity-is-a-conflict",
            "any-other-error-is-in-doubt",
            "a-waiter-gets-the-result",
            "a-probe-found-the-effect",
            "a-probe-found-nothing",
            "a-result-is-longer-than-a-line",
            "approvals-are-awaited",
            "an-unknown-answer-allows-nothing");

    /** What makes the command line quick, prepared once for all homes. */
    private static final class Cache {
        static final Path FOLDER = prepare();

        private static Path prepare() {
            try {
                Path folder = Files.createDirectories(Path.of("target", "cache").toAbsolutePath());
                // The launcher trusts no folder that others may write to.
                folder.toFile().setWritable(false, false);
                folder.toFile().setWritable(true, true);
                ProcessBuilder builder = new ProcessBuilder(ROOT.resolve("idem").toString(), "version")
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD);
                builder.environment().put("XDG_CACHE_HOME", folder.toString());
                builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
                builder.start().waitFor();
                return folder;
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private final Path home;
    private final Map<String, String> environment = new TreeMap<>();

    Programs(Path home) {
        this.home = home;
        assumeTrue(
                Files.exists(ROOT.resolve("cli/target/idem-cli.jar")),
                "the command line is not built: mvn -pl cli -am -DskipTests package");
        with("IDEM", ROOT.resolve("idem").toString());
        with("JAVA_HOME", System.getProperty("java.home"));
        with("HOME", home.toString());
        with("XDG_CACHE_HOME", Cache.FOLDER.toString());
        with("TMPDIR", home.toString());
        with("XDG_STATE_HOME", home.resolve("state").toString());
        with("XDG_RUNTIME_DIR", home.resolve("run").toString());
        with("PYTHONDONTWRITEBYTECODE", "1");
    }

    Programs with(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /**
     * Gives the programs a stand-in for the launcher, whose servers are threads of this process, until it is closed. Null
     * with {@code -Pproof}, and without the Python that the stand-in is written in: then each server is a process.
     */
    @Nullable
    Resident resident() throws IOException {
        if (isThorough() || !Files.isExecutable(Path.of("/usr/bin/python3"))) {
            return null;
        }
        Path socket = home.resolve("resident.sock");
        with("REAL_IDEM", ROOT.resolve("idem").toString());
        with(
                "IDEM",
                ROOT.resolve("clients/packages/src/test/resources/resident/idem")
                        .toString());
        with("RESIDENT", socket.toString());
        return new Resident(socket);
    }

    static boolean isThorough() {
        return Thorough.times(0, 1) == 1;
    }

    /** Whether a program is on the path. */
    static boolean isThere(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
    }

    /** Debian's own Python, which sees Debian's packages; another one may stand before it on the path. */
    static String python() {
        String python = Files.isExecutable(Path.of("/usr/bin/python3")) ? "/usr/bin/python3" : "python3";
        assumeTrue(Files.isExecutable(Path.of(python)) || isThere(python), "python3 is not on the path");
        return python;
    }

    /** The output of a program that has to end well. */
    String run(Path folder, String... words) throws IOException, InterruptedException {
        Ended ended = end(folder, List.of(words));
        assertThat(ended.exit())
                .as("%s%n%s", String.join(" ", words), ended.said())
                .isZero();
        return ended.said();
    }

    record Ended(int exit, String said) {}

    /** Runs a program to its end. What it has started ends with it. */
    Ended end(Path folder, List<String> words) throws IOException, InterruptedException {
        Path output = Files.createTempFile(home, "output", ".txt");
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("IDEM_"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
            String said = Files.readString(output, StandardCharsets.UTF_8);
            assertThat(ended).as("%s ends%n%s", words, said).isTrue();
            return new Ended(process.exitValue(), said);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** Puts a client through the harness of the protocol. */
    void conforms(Path folder, String... driver) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-jar",
                ROOT.resolve("clients/conformance/target/idem-conformance.jar").toString(),
                "--idem",
                ROOT.resolve("idem").toString()));
        if (!isThorough()) {
            words.addAll(List.of("--only", String.join(",", MOST_TELLING)));
        }
        words.add("--");
        words.addAll(List.of(driver));
        assertThat(run(folder, words.toArray(String[]::new))).contains(" ok, 0 failed");
    }
}
