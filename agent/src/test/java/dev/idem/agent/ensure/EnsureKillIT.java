package dev.idem.agent.ensure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.idem.testkit.ChildProcess;
import dev.idem.testkit.Thorough;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Look and make, killed −9 in between; whoever comes next looks again. */
@Timeout(120)
class EnsureKillIT {
    @TempDir
    Path folder;

    static Stream<Arguments> points() {
        return Thorough.first(
                1,
                arguments("made", "already_exists"),
                arguments("making", "created"),
                arguments("looking", "created"),
                arguments("ensured", "already_exists"));
    }

    @ParameterizedTest
    @MethodSource("points")
    void whoeverComesAfterAKillFindsItOrMakesItOnce(String point, String reason) throws Exception {
        try (ChildProcess child = start(point)) {
            assertThat(child.line()).isEqualTo("at " + point);
            child.kill();
        }

        assertThat(ensure()).isEqualTo(reason);
        assertThat(ensure()).isEqualTo("already_exists");
        assertThat(Files.readAllLines(folder.resolve("subscriptions"))).containsExactly("sub_1");
    }

    /** Runs until it is settled: the key of a killed process is in doubt until its time limit is over. */
    private String ensure() throws Exception {
        String said = run();
        while (said.equals("in doubt")) {
            said = run();
        }
        return said;
    }

    private String run() throws Exception {
        try (ChildProcess child = start("nowhere")) {
            List<String> said = child.rest();
            assertThat(said).hasSize(2).endsWith("exit 0");
            return said.get(0);
        }
    }

    private ChildProcess start(String point) throws IOException {
        return ChildProcess.start(
                EnsureMain.class,
                "sqlite:" + folder.resolve("idem.db"),
                folder.resolve("subscriptions").toString(),
                point);
    }
}
