package dev.idem.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.cli.Main;
import dev.idem.json.Json;
import dev.idem.torture.subject.Subject;
import dev.idem.torture.subject.Subjects;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line as others run it, on ledgers that are real servers. */
class CommandLineIT {
    @TempDir
    Path folder;

    private record Ran(int exit, String out, String err) {
        Map<?, ?> data() {
            return (Map<?, ?>) ((Map<?, ?>) Json.parse(out)).get("data");
        }
    }

    private Ran idem(Subject subject, String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(words));
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectInput(new File("/dev/null"))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().put("IDEM_LEDGER", subject.plainUrl());
        Process process = builder.start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
            return new Ran(
                    process.exitValue(),
                    Files.readString(out, StandardCharsets.UTF_8),
                    Files.readString(err, StandardCharsets.UTF_8));
        } finally {
            process.destroyForcibly();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgresql", "redis"})
    void runs_once_and_shows_what_it_knows(String name) throws Exception {
        try (Subject subject = Subjects.start(name, folder)) {
            String[] line = {"run", "--key", "k", "--", "sh", "-c", "echo x >>effects; echo out; echo err >&2"};
            Ran first = idem(subject, line);
            assertThat(first).isEqualTo(new Ran(0, "out\n", "err\n"));
            Ran second = idem(subject, line);
            assertThat(second.exit()).isZero();
            assertThat(second.out()).isEqualTo("out\n");
            assertThat(second.err()).startsWith("err\n").contains("replay of 'k'");
            assertThat(folder.resolve("effects")).hasContent("x");

            assertThat(idem(subject, "show", "k").data())
                    .extracting("state", "attempt", "last_mark")
                    .containsExactly("complete", 1L, "started");
            Ran doctor = idem(subject, "doctor", "--text");
            assertThat(doctor.exit()).as(doctor.out() + doctor.err()).isZero();
            assertThat(doctor.out()).contains("well  reachable: ").doesNotContain("LOOK");
            // Redis does not count replays.
            assertThat(idem(subject, "stats").data())
                    .extracting("duplicates_prevented")
                    .isEqualTo(name.equals("redis") ? 0L : 1L);
            assertThat(idem(subject, "approve").data().get("pending")).isEqualTo(List.of());

            Files.writeString(folder.resolve("lines"), "one\ntwo\nthree\n");
            String[] batch = {
                "batch", "--key", "b", "--input", "lines", "--jobs", "3", "--", "sh", "-c", "echo y >>effects"
            };
            assertThat(idem(subject, batch).data()).extracting("ran").isEqualTo(3L);
            assertThat(idem(subject, batch).data()).extracting("replayed").isEqualTo(3L);
            assertThat(Files.readAllLines(folder.resolve("effects"))).hasSize(4);
        }
    }
}
