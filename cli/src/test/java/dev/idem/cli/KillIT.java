package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.idem.cli.Idems.Started;
import dev.idem.cli.InProcess.Ran;
import dev.idem.testkit.Thorough;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code idem} is killed with KILL at each point of its way; the effect is there at most once. */
class KillIT extends ProcessCase {
    /** Whether a process with the test's folder in its command line is left; that of this test's own is not counted. */
    private boolean somethingIsLeft() {
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                if (!process.getFileName()
                                .toString()
                                .equals(Long.toString(ProcessHandle.current().pid()))
                        && commandLine(process).contains(home.toString())) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String commandLine(Path process) {
        try {
            return new String(Files.readAllBytes(process.resolve("cmdline")), StandardCharsets.UTF_8);
        } catch (IOException gone) {
            return "";
        }
    }

    static Stream<Arguments> points() {
        return Thorough.first(
                2,
                // at, effects then, exit of the next call, effects in the end
                arguments("BEFORE_SETTLE", 1, 81, 1),
                arguments("BEFORE_MARK", 0, 0, 1),
                arguments("BEFORE_CLAIM", 0, 0, 1),
                arguments("AFTER_CLAIM", 0, 0, 1),
                arguments("AFTER_MARK", 0, 81, 0),
                arguments("AFTER_SETTLE", 1, 0, 1));
    }

    static Stream<Arguments> pointsOfAnImport() {
        return Thorough.first(
                1, arguments("BEFORE_SETTLE", 3), arguments("AFTER_CLAIM", 3), arguments("AFTER_SETTLE", 2));
    }

    @ParameterizedTest
    @MethodSource("points")
    void killedAtAPoint(String point, int effectsThen, int next, int effectsInTheEnd) {
        String[] line = {"run", "--key", "k", "--", "sh", "-c", "echo x >>'" + home + "/effects'; echo out"};
        assertThat(idems.runKilledAt(point, line).exit()).isEqualTo(137);
        Until.isTrue("the stand-in has ended by itself", () -> !somethingIsLeft());
        assertThat(effects()).hasSize(effectsThen);
        Ran again = idems.run(line);
        assertThat(again.exit()).as(again.err()).isEqualTo(next);
        assertThat(effects()).hasSize(effectsInTheEnd);
        if (next == 0) {
            assertThat(again.out()).isEqualTo("out\n");
        }
    }

    @Test
    void killedWhileTheCommandRunsItIsInFlightUntilThatEndsAndThenInDoubt() throws IOException {
        String[] line = {
            "run",
            "--key",
            "k",
            "--wait",
            "0",
            "--",
            "sh",
            "-c",
            "echo x >>effects; while [ -e stay ]; do sleep 0.1; done"
        };
        Path stay = Files.createFile(home.resolve("stay"));
        Started owner = idems.start(line);
        Until.isTrue("the command runs", () -> effects().size() == 1);
        owner.kill();
        assertThat(owner.end().exit()).isEqualTo(137);

        Ran refused = idems.run(line);
        assertThat(refused.exit()).as(refused.err()).isEqualTo(80);
        assertThat(refused.err()).contains("its command is pid ");
        assertThat(idems.run("forget", "k", "--yes").exit()).isEqualTo(4);

        Files.delete(stay);
        line[4] = "60s";
        Ran doubted = idems.run(line);
        assertThat(doubted.exit()).as(doubted.err()).isEqualTo(81);
        assertThat(doubted.err()).contains("ended without settling it");
        assertThat(effects()).hasSize(1);

        assertThat(idems.run("resolve", "k", "--as", "failed").exit()).isZero();
        assertThat(idems.run(line).exit()).isZero();
        assertThat(effects()).hasSize(2);
    }

    @ParameterizedTest
    @MethodSource("pointsOfAnImport")
    void anImportThatWasKilledIsFinishedByTheSameCall(String point, int after) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            lines.append("{\"id\":\"r" + i + "\",\"state\":\"complete\",\"result\":" + i + "}\n");
        }
        Files.writeString(home.resolve("states.jsonl"), lines);
        String[] line = {"import", "states.jsonl", "--idempotency-key", "K", "--json"};
        assertThat(idems.runKilledAt(point, after, line).exit()).isEqualTo(137);

        Ran again = idems.run(line);
        assertThat(again.exit()).as(again.out()).isZero();
        assertThat(again.data()).containsEntry("missing", 0L).containsEntry("different", 0L);
        Ran done = idems.run("ls", "--operation", "request", "--state", "complete", "--json");
        assertThat((List<?>) done.data().get("entries")).hasSize(8);
        assertThat(idems.run(line).data()).containsEntry("effect", "noop");
    }
}
