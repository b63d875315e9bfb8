package dev.idem.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The guard, the server or both are killed while each of ten calls has reached another point. Another guard then gets the
 * same calls again, without a session.
 */
class KilledGuardTest {
    private static final long SECONDS = 60;

    /** Points that a server that is killed alone leaves. */
    private static final List<String> OF_THE_SERVER = List.of(
            "after-the-host-has-it",
            "before-the-effect",
            "after-the-effect",
            "with-a-duplicate",
            "after-a-cancel",
            "in-the-answer");

    @TempDir
    Path folder;

    /** The last call blocks those after it: nothing is sent before the calls that were read earlier. */
    @ParameterizedTest
    @CsvSource({"false, before-the-claim", "false, after-the-claim", "true, before-the-claim", "true, after-the-claim"})
    void aKilledGuardForgetsNothing(boolean killsServer, String last) throws Exception {
        List<String> points = new ArrayList<>(OF_THE_SERVER.subList(0, OF_THE_SERVER.size() - 1));
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
                requireOnce(point, again.ask(points.indexOf(point), "point", arguments(point)));
            }
        }
    }

    @Test
    void aKilledServerLeavesDoubts() throws Exception {
        try (HostOfProcess host = start()) {
            reachAll(host, OF_THE_SERVER);
            host.process().children().forEach(ProcessHandle::destroyForcibly);
            letGo();
            for (String point : OF_THE_SERVER) {
                int id = 200 + OF_THE_SERVER.indexOf(point);
                host.say(TestHost.call(id, "point", arguments(point)));
                requireOnce(point, host.answer(id));
            }
        }
    }

    /** The model is told what is known, and the call took effect at most once. */
    private void requireOnce(String point, Message response) throws IOException {
        Path all = folder.resolve("effects");
        long effects = Files.readAllLines(all).stream()
                .filter(("point " + point)::equals)
                .count();
        String answer = TestHost.text(response);
        switch (point) {
            case "before-the-claim", "after-the-record", "after-the-host-has-it" -> {
                assertThat(answer).as(point).startsWith("point done");
                assertThat(effects).as(point).isEqualTo(1);
            }
            default -> {
                assertThat(answer).as(point).contains("unknown whether", "Do not call it again");
                assertThat(effects).as(point).isLessThanOrEqualTo(1);
            }
        }
    }

    private HostOfProcess start() throws IOException {
        return new HostOfProcess(GuardProcess.before(TestHost.command(folder), folder));
    }

    private void letGo() throws IOException {
        Files.writeString(folder.resolve("go"), "");
    }

    private String ledger() {
        return "sqlite:" + folder.resolve("idem.db");
    }

    private static String arguments(String point) {
        return "{\"to\":\"" + point + "\"}";
    }

    /** Sends all calls, and waits until each has reached its point. */
    private void reachAll(HostOfProcess guard, List<String> points) throws Exception {
        for (String point : points) {
            guard.say(TestHost.call(points.indexOf(point), "point", arguments(point)));
            switch (point) {
                case "after-the-host-has-it" ->
                    assertThat(TestHost.text(guard.answer(points.indexOf(point))))
                            .startsWith("point done");
                case "before-the-effect" -> await("reached", "server " + point);
                case "after-the-effect" -> await("reached", "effect " + point);
                case "in-the-answer" -> await("reached", "half " + point);
                case "with-a-duplicate" -> {
                    await("reached", "effect " + point);
                    guard.say(TestHost.call(100, "point", arguments(point)));
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
