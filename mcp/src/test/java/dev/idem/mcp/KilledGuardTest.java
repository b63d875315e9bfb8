package dev.idem.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.mcp.guard.Message;
import dev.idem.testkit.Thorough;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The guard, the server or both are killed while each of ten calls has reached another point. The same calls are then made
 * again, without a session: with another guard, or with the guard that has started another server.
 */
class KilledGuardTest {
    private static final long SECONDS = 60;

    private static final String INITIALIZE = "{\"jsonrpc\":\"2.0\",\"id\":900,\"method\":\"initialize\",\"params\":{}}";

    /** Points at which a call blocks no other. */
    private static final List<String> OF_ALL = List.of(
            "after-the-host-has-it", "before-the-effect", "after-the-effect", "with-a-duplicate", "after-a-cancel");

    @TempDir
    Path folder;

    static Stream<Arguments> lastOfAKilledGuard() {
        return Thorough.first(
                1,
                Arguments.of(true, "after-the-claim"),
                Arguments.of(false, "before-the-claim"),
                Arguments.of(false, "after-the-claim"),
                Arguments.of(true, "before-the-claim"));
    }

    static Stream<String> partsOfAnAnswer() {
        return Thorough.first(1, "in-the-answer", "before-the-end-of-its-line");
    }

    /** The last call blocks those after it: nothing is sent before the calls that were read earlier. */
    @ParameterizedTest
    @MethodSource("lastOfAKilledGuard")
    void aKilledGuardForgetsNothing(boolean killsServer, String last) throws Exception {
        List<String> points = new ArrayList<>(OF_ALL);
        points.addAll(List.of("before-the-record", "after-the-record", "in-the-answer", last));
        try (HostOfProcess host = start()) {
            reachAll(host, points);
            List<ProcessHandle> servers = host.process().children().toList();
            if (killsServer) {
                servers.forEach(ProcessHandle::destroyForcibly);
            }
            host.process().destroyForcibly().waitFor();
            letGo();
            for (ProcessHandle server : servers) {
                server.onExit().get(SECONDS, TimeUnit.SECONDS);
            }
        }

        try (Idem idem = Idem.builder().ledger(ledger()).quiet().open();
                TestHost again = new TestHost(idem, McpOptions.of("fixture"), folder)) {
            for (String point : points) {
                Message answer = again.ask(points.indexOf(point), "point", arguments(point));
                switch (point) {
                    case "before-the-claim", "after-the-record", "after-the-host-has-it" ->
                        requireDone(point, answer, "point done");
                    default -> requireDoubt(point, answer);
                }
            }
        }
    }

    /** One server is killed with eight calls, the next while it is opened, and the third while it is asked for a call. */
    @ParameterizedTest
    @MethodSource("partsOfAnAnswer")
    void aKilledServerLeavesDoubts(String part) throws Exception {
        List<String> points = new ArrayList<>(OF_ALL);
        points.addAll(List.of("in-the-probe", "before-the-record", part, "before-it-is-read"));
        try (HostOfProcess host = start("opening")) {
            host.say(INITIALIZE);
            host.answer(900);
            reachAll(host, points);
            killServer(host);

            await("reached", "server opening");
            host.say(call(300, "in-the-opening"));
            await("reached", "guard in-the-opening");
            killServer(host);
            assertThat(TestHost.text(host.answer(300))).startsWith("point done");

            host.say(call(301, "in-the-probe"));
            await("reached", "find in-the-probe");
            killServer(host);
            assertThat(TestHost.text(host.answer(301))).contains("unknown whether that took effect");

            letGo();
            points.add("in-the-opening");
            for (String point : points) {
                int id = 200 + points.indexOf(point);
                host.say(call(id, point));
                switch (point) {
                    case "after-the-host-has-it", "before-the-record", "in-the-opening" ->
                        requireDone(point, host.answer(id), "point done");
                    case "in-the-probe" -> requireDone(point, host.answer(id), "It took effect earlier");
                    default -> requireDoubt(point, host.answer(id));
                }
            }
        }
    }

    private static void killServer(HostOfProcess host) throws Exception {
        for (ProcessHandle server : host.process().children().toList()) {
            server.destroyForcibly();
            server.onExit().get(SECONDS, TimeUnit.SECONDS);
        }
    }

    private void requireDone(String point, Message answer, String told) throws IOException {
        assertThat(TestHost.text(answer)).as(point).startsWith(told);
        assertThat(effects(point)).as(point).isEqualTo(1);
    }

    /** The model is told what is known, and the call took effect at most once. */
    private void requireDoubt(String point, Message answer) throws IOException {
        assertThat(TestHost.text(answer)).as(point).contains("unknown whether", "Do not call it again");
        assertThat(effects(point)).as(point).isLessThanOrEqualTo(1);
    }

    private long effects(String point) throws IOException {
        return Files.readAllLines(folder.resolve("effects")).stream()
                .filter(("point " + point)::equals)
                .count();
    }

    private HostOfProcess start(String... fault) throws IOException {
        return new HostOfProcess(GuardProcess.before(TestHost.command(folder, fault), folder));
    }

    private void letGo() throws IOException {
        Files.writeString(folder.resolve("go"), "");
    }

    private String ledger() {
        return "sqlite:" + folder.resolve("idem.db");
    }

    private static String call(int id, String point) {
        return TestHost.call(id, point.equals("in-the-probe") ? "probed" : "point", arguments(point));
    }

    private static String arguments(String point) {
        return "{\"to\":\"" + point + "\"}";
    }

    /** Sends all calls, and waits until each has reached its point. */
    private void reachAll(HostOfProcess guard, List<String> points) throws Exception {
        for (String point : points) {
            guard.say(call(points.indexOf(point), point));
            switch (point) {
                case "after-the-host-has-it" ->
                    assertThat(TestHost.text(guard.answer(points.indexOf(point))))
                            .startsWith("point done");
                case "before-the-effect" -> await("reached", "server " + point);
                case "after-the-effect", "in-the-probe" -> await("reached", "effect " + point);
                case "in-the-answer", "before-the-end-of-its-line" -> await("reached", "part " + point);
                case "before-it-is-read" -> {
                    // A call is answered after those before it were sent.
                    guard.say(call(101, "after-the-host-has-it"));
                    guard.answer(101);
                }
                case "with-a-duplicate" -> {
                    await("reached", "effect " + point);
                    guard.say(call(100, point));
                }
                case "after-a-cancel" -> {
                    await("reached", "effect " + point);
                    guard.say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":"
                            + points.indexOf(point) + "}}");
                }
                default -> await("reached", "guard " + point);
            }
        }
    }

    private void await(String file, String part) {
        Path path = folder.resolve(file);
        Eventually.isTrue(
                part, () -> Files.exists(path) && Files.readString(path).contains(part));
    }
}
