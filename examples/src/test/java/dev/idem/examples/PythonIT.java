package dev.idem.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the tests of the Python file, which call the real command. */
class PythonIT {
    @TempDir
    Path home;

    @Test
    void thePythonFileDoesWhatItsTestsSay() throws Exception {
        assumeTrue(onPath("python3"), "python3 is not on the path");
        Path jar = Pages.root().resolve("cli/target/idem-cli.jar");
        assumeTrue(Files.exists(jar), "the command line is not built: mvn -pl cli -am -DskipTests package");
        String idem = Pages.root().resolve("idem").toString();
        assumeTrue(run(List.of(idem, "claim", "--help")).exit() == 0, "this idem has no 'claim' yet");

        Ran ran = run(List.of(
                "python3",
                "-B",
                Pages.root().resolve("examples/python/idem_test.py").toString(),
                "-v"));

        assertThat(ran.exit()).as(ran.output()).isZero();
        assertThat(ran.output()).contains("Ran 7 tests");
    }

    private record Ran(int exit, String output) {}

    private Ran run(List<String> words) throws IOException, InterruptedException {
        Path output = home.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("IDEM_"));
        builder.environment().put("IDEM", Pages.root().resolve("idem").toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("TMPDIR", home.toString());
        builder.environment().put("XDG_CACHE_HOME", home.resolve("cache").toString());
        builder.environment().put("XDG_STATE_HOME", home.resolve("state").toString());
        Process process = builder.start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("it ends").isTrue();
            return new Ran(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
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
