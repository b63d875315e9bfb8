package dev.idem.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.lab.RedisProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the tests of the Python file, which call the real command. */
class PythonIT {
    private static final Path PYTHON = Pages.root().resolve("examples/python");
    private static final Path DOCUMENTS = Pages.root().resolveSibling("shared/founding");

    @TempDir
    Path home;

    @BeforeEach
    void requirePythonAndTheCommand() {
        assumeTrue(onPath("python3"), "python3 is not on the path");
        Path jar = Pages.root().resolve("cli/target/idem-cli.jar");
        assumeTrue(Files.exists(jar), "the command line is not built: mvn -pl cli -am -DskipTests package");
    }

    @Test
    void thePythonFileDoesWhatItsTestsSay() throws Exception {
        Path folder = Files.createDirectory(home.resolve("redis"));
        String[] durable = {"--appendonly", "yes", "--appendfsync", "always"};
        try (var redis = RedisProcess.start(RedisProcess.bundled(folder), folder, durable)) {
            assertThat(run(Map.of("IDEM_TEST_REDIS", redis.url()), "idem_test.py"))
                    .containsPattern("test_redis_serves_the_same_marks .*ok");
        }
    }

    @Test
    @Tag("proof")
    void theHandlerOfTheDocumentsHasOneEffectForEachRequest() throws Exception {
        run(Map.of(), "stress_test.py");
    }

    @Test
    void theSnippetsOfThePageForReadersOfTheDocumentsRun() throws Exception {
        run(Map.of(), "documents_test.py", "SnippetsTest");
    }

    @Test
    void theCodeOfTheDocumentsRunsAsItStands() throws Exception {
        assumeTrue(Files.isDirectory(DOCUMENTS), "the documents are not in " + DOCUMENTS);
        assertThat(run(Map.of("IDEM_FOUNDING", DOCUMENTS.toString()), "documents_test.py", "DocumentsTest"))
                .doesNotContain("skipped");
    }

    /** The output of a program that has to end well. */
    private String run(Map<String, String> environment, String program, String... words)
            throws IOException, InterruptedException {
        Path output = home.resolve("output");
        List<String> line = Stream.concat(
                        Stream.of("python3", PYTHON.resolve(program).toString(), "-v"), Stream.of(words))
                .toList();
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
        builder.redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("IDEM_"));
        builder.environment().put("IDEM", Pages.root().resolve("idem").toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        builder.environment().put("TMPDIR", home.toString());
        builder.environment().put("XDG_CACHE_HOME", home.resolve("cache").toString());
        builder.environment().put("XDG_STATE_HOME", home.resolve("state").toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            boolean ended = process.waitFor(15, TimeUnit.MINUTES);
            String said = Files.readString(output, StandardCharsets.UTF_8);
            assertThat(ended).as(said).isTrue();
            assertThat(process.exitValue()).as(said).isZero();
            assertThat(PYTHON.resolve("__pycache__")).doesNotExist();
            return said;
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static boolean onPath(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
    }
}
