package dev.idem.agent.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.testkit.ChildProcess;
import dev.idem.testkit.Thorough;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An event whose process is killed −9 while it takes it in, and which is delivered again to another one. */
@Timeout(120)
class InboxKillIT {
    @TempDir
    Path folder;

    static Stream<String> pointsOfGuardedSteps() {
        return Thorough.first(1, "mailed", "handling", "received");
    }

    static Stream<String> pointsOfAHandler() {
        return Thorough.first(1, "sent", "handling");
    }

    @ParameterizedTest
    @MethodSource("pointsOfGuardedSteps")
    void aHandlerWhoseStepsAreGuardedGoesOnWhereItWasKilled(String point) throws Exception {
        kill("guarded", point);

        assertThat(deliver("guarded")).isEqualTo(point.equals("received") ? "Duplicate true" : "Handled true");
        assertThat(deliver("guarded")).isEqualTo("Duplicate true");
        assertThat(effects()).containsExactly("mail");
    }

    @Test
    void aStepThatWasKilledBetweenItsEffectAndItsRecordIsNotDoneAgain() throws Exception {
        kill("guarded", "sent");

        assertThat(deliver("guarded")).isEqualTo("Failed false");
        assertThat(deliver("guarded")).isEqualTo("Failed false");
        assertThat(effects()).containsExactly("mail");
    }

    @ParameterizedTest
    @MethodSource("pointsOfAHandler")
    void aHandlerThatIsNotSafeToRunAgainIsInDoubt(String point) throws Exception {
        kill("plain", point);

        assertThat(deliver("plain")).isEqualTo("InDoubt false");
        assertThat(effects()).hasSize(point.equals("sent") ? 1 : 0);
    }

    @Test
    void anEventThatKillsItsProcessesIsGivenUpAndTheDeadLettersAreCalledOnce() throws Exception {
        kill("poison", "handling");
        kill("poison", "handling");
        kill("poison", "given up");

        assertThat(deliver("poison")).isEqualTo("InDoubt false");
        assertThat(deliver("poison")).isEqualTo("InDoubt false");
        assertThat(effects()).containsExactly("given up");
    }

    @Test
    @Tag("proof")
    void anEventThatKillsItsProcessesIsAcknowledgedOnceItWasGivenUp() throws Exception {
        kill("poison", "handling");
        kill("poison", "handling");

        assertThat(deliver("poison")).isEqualTo("DeadLettered true");
        assertThat(deliver("poison")).isEqualTo("DeadLettered true");
        assertThat(effects()).containsExactly("given up");
    }

    private void kill(String kind, String point) throws IOException {
        try (ChildProcess child = start(kind, point)) {
            assertThat(child.line()).isEqualTo("at " + point);
            child.kill();
        }
    }

    private String deliver(String kind) throws Exception {
        try (ChildProcess child = start(kind, "nowhere")) {
            List<String> said = child.rest();
            assertThat(said).hasSize(2).endsWith("exit 0");
            return said.get(0);
        }
    }

    private ChildProcess start(String kind, String point) throws IOException {
        return ChildProcess.start(
                InboxMain.class,
                "sqlite:" + folder.resolve("idem.db"),
                folder.resolve("effects").toString(),
                kind,
                point);
    }

    private List<String> effects() throws IOException {
        Path file = folder.resolve("effects");
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }
}
