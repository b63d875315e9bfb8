package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.Address;
import dev.idem.Json;
import dev.idem.Key;
import dev.idem.cli.InProcess.Ran;
import dev.idem.spi.Result;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every line of a batch had pipes of its own, made under a lock that starts needed too: however many jobs, commands were
 * started one after another, 30 ms each. Now a thread keeps its pipes for its next line, so they must come back empty.
 */
class BatchPipesTest {
    @TempDir
    Path folder;

    private InProcess shell;

    @BeforeEach
    void open() {
        assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "a host that shows its descriptors");
        shell = new InProcess(folder);
    }

    private Ran batch(String lines, String jobs, String script) {
        shell.stdin = lines.getBytes(StandardCharsets.UTF_8);
        return shell.idem("batch", "--key", "b", "--jobs", jobs, "--json", "--", "sh", "-c", script);
    }

    private Map<?, ?> recorded(String line) {
        String key = Key.derive("default", "batch", Map.of("batch", "b", "line", line))
                .value();
        Result result = shell.ledger
                .find(new Address("default", "batch", key))
                .orElseThrow()
                .result();
        return (Map<?, ?>) Json.parse(((Result.Stored) result).payload().bytes());
    }

    @Test
    void thePipesOfALineServeTheNextOne() throws IOException {
        Ran ran = batch("one\ntwo\nthree\n", "1", "exec 3>&1; readlink /proc/$$/fd/3 >>'" + folder + "/pipes'");
        assertThat(ran.exit()).as(ran.out()).isZero();
        List<String> pipes = Files.readAllLines(folder.resolve("pipes"));
        assertThat(pipes).hasSize(3).allMatch(pipe -> pipe.startsWith("pipe:")).containsOnly(pipes.get(0));
    }

    @Test
    void everyLineKeepsItsOwnOutput() {
        List<String> lines = IntStream.range(0, 40).mapToObj(i -> "line-" + i).toList();
        Ran ran = batch(lines.stream().collect(Collectors.joining("\n")), "4", "echo \"out $0\"; echo \"err $0\" >&2");
        assertThat(ran.data()).as(ran.out()).containsEntry("ran", 40L);
        for (String line : lines) {
            assertThat(recorded(line).get("stdout")).isEqualTo("out " + line + "\n");
            assertThat(recorded(line).get("stderr")).isEqualTo("err " + line + "\n");
        }
    }

    @Test
    void whatALineLeavesBehindDoesNotWriteIntoTheNext() throws IOException {
        Path stop = folder.resolve("stop");
        try {
            String left = "(while [ ! -e '" + stop + "' ]; do echo late; sleep 0.01; done) & echo first";
            Ran ran = batch("first\nsecond\n", "1", "if [ \"$0\" = first ]; then " + left + "; else echo second; fi");
            assertThat(ran.data()).as(ran.out()).containsEntry("ran", 2L);
            assertThat(recorded("second").get("stdout")).isEqualTo("second\n");
        } finally {
            Files.createFile(stop);
        }
    }

    @Test
    void afterALineThatFailsOrCantStartTheNextOneRuns() throws IOException {
        String broken = folder.resolve("broken").toString();
        Files.writeString(Path.of(broken), "#!/no/such/interpreter\n");
        assertThat(Path.of(broken).toFile().setExecutable(true)).isTrue();
        String script =
                "case $0 in bad) exit 9;; killed) kill -9 $$;; broken) exec '" + broken + "';; esac; echo \"$0\"";
        Ran ran = batch("one\nbad\ntwo\nkilled\nthree\nbroken\nfour\n", "1", script);
        assertThat(ran.data()).as(ran.out()).containsEntry("ran", 4L).containsEntry("in_doubt", 3L);
        for (String line : List.of("one", "two", "three", "four")) {
            assertThat(recorded(line).get("stdout")).isEqualTo(line + "\n");
        }
    }
}
