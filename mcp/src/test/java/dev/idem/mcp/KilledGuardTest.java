package dev.idem.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.State;
import dev.idem.spi.Browsable;
import dev.idem.spi.Query;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The guard, the server or both are killed while a host calls, and the host calls again. */
class KilledGuardTest {
    private static final long SECONDS = 60;

    @TempDir
    Path folder;

    /** Where the kill happens. The server waits at its fault until it is let go. */
    enum Point {
        BEFORE_THE_CALL,
        AS_THE_CALL_IS_SENT,
        DURING_THE_EFFECT,
        AFTER_THE_EFFECT,
        AFTER_THE_ANSWER
    }

    @ParameterizedTest
    @EnumSource
    void aKilledGuardForgetsNothing(Point point) throws Exception {
        killed(point, true, false);
    }

    @ParameterizedTest
    @EnumSource
    void aKilledServerLeavesADoubt(Point point) throws Exception {
        killed(point, false, true);
    }

    @ParameterizedTest
    @EnumSource
    void bothKilledAtOnceLeaveADoubt(Point point) throws Exception {
        killed(point, true, true);
    }

    private void killed(Point point, boolean guard, boolean server) throws Exception {
        boolean waits = point == Point.DURING_THE_EFFECT || point == Point.AFTER_THE_EFFECT;
        Process first = start(waits ? new String[] {"late"} : new String[0]);
        try {
            say(first, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"ping\"}");
            line(first.getInputStream());
            ProcessHandle child = first.children().findFirst().orElseThrow();
            if (point != Point.BEFORE_THE_CALL) {
                say(first, TestHost.call(1, "pay", "{\"to\":\"ann\"}"));
            }
            if (waits) {
                await(() -> Files.exists(folder.resolve(point == Point.DURING_THE_EFFECT ? "effects" : "struck")));
            } else if (point == Point.AFTER_THE_ANSWER) {
                line(first.getInputStream());
            }
            if (guard) {
                first.destroyForcibly().waitFor();
            }
            if (server) {
                child.destroyForcibly();
            }
            // A server without a guard ends what it began.
            Files.writeString(folder.resolve("go"), "");
            child.onExit().get(SECONDS, TimeUnit.SECONDS);
        } finally {
            first.destroyForcibly().waitFor();
        }

        Process second = start();
        try {
            say(second, TestHost.call(1, "pay", "{\"to\":\"ann\"}"));
            String answer = line(second.getInputStream());

            List<String> effects =
                    Files.exists(folder.resolve("effects")) ? Files.readAllLines(folder.resolve("effects")) : List.of();
            assertThat(effects).hasSizeLessThanOrEqualTo(1);
            assertThat(answer)
                    .satisfiesAnyOf(
                            done -> assertThat(done).contains("pay done"),
                            doubt -> assertThat(doubt).contains("unknown whether", "Do not call it again"),
                            running -> assertThat(running).contains("running right now"));
            if (!answer.contains("pay done")) {
                assertThat(entry().state()).isIn(State.IN_DOUBT, State.IN_PROGRESS);
            }
        } finally {
            second.getOutputStream().close();
            assertThat(second.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }

    private Entry entry() {
        try (Idem idem = Idem.builder()
                .ledger("sqlite:" + folder.resolve("idem.db"))
                .quiet()
                .open()) {
            return idem.ledger()
                    .as(Browsable.class)
                    .orElseThrow()
                    .browse(Query.all())
                    .entries()
                    .get(0);
        }
    }

    private Process start(String... fault) throws IOException {
        return new ProcessBuilder(GuardProcess.command(folder, fault))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static void say(Process to, String line) throws IOException {
        to.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        to.getOutputStream().flush();
    }

    private static String line(InputStream from) throws IOException {
        byte[] line = new Lines(from, 1_000_000).next();
        return line == null ? "" : new String(line, StandardCharsets.UTF_8);
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    private static void await(Condition condition) throws Exception {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (!condition.holds()) {
            assertThat(System.nanoTime()).isLessThan(until);
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }
}
