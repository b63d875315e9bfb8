package dev.idem.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.mcp.GuardProcess.Broken;
import dev.idem.mcp.guard.Message;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A server takes effect, and its host does not get the one answer that it waits for. The host then does what hosts do: it
 * starts what has ended and sends the call again, under another id.
 */
class LostAnswersTest {
    @TempDir
    Path folder;

    /** The fault after the effect. */
    enum Fault {
        DIES("die"),
        ANSWERS_LATE("late"),
        ANSWERS_TWICE("twice"),
        CUTS_THE_STREAM("cut"),
        IS_KILLED_WITH_ITS_GUARD("late");

        final String word;

        Fault(String word) {
            this.word = word;
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("proof")
    void withoutAGuardTheCallTakesEffectTwice(Fault fault) throws Exception {
        host(TestHost.command(folder, fault.word), fault);

        assertThat(effects()).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource
    void withAGuardTheCallTakesEffectOnce(Fault fault) throws Exception {
        Message answer = host(GuardProcess.before(TestHost.command(folder, fault.word), folder), fault);

        assertThat(effects()).hasSize(1);
        assertThat(TestHost.text(answer))
                .satisfiesAnyOf(
                        text -> assertThat(text).startsWith("pay done"),
                        text -> assertThat(text).contains("unknown whether", "Do not call it again"));
    }

    @ParameterizedTest
    @CsvSource({"BY_REQUEST_ID, DIES", "RERUNS, DIES", "IN_MEMORY, IS_KILLED_WITH_ITS_GUARD"})
    @Tag("proof")
    void aBrokenGuardIsFound(Broken guard, Fault fault) throws Exception {
        host(GuardProcess.before(TestHost.command(folder, fault.word), guard, folder), fault);

        assertThat(effects()).hasSize(2);
    }

    /** Calls, meets the fault, and calls again; gives the answer that the model gets in the end. */
    private Message host(List<String> command, Fault fault) throws Exception {
        HostOfProcess host = new HostOfProcess(command);
        try {
            host.say(TestHost.call(1, "pay", "{\"to\":\"ann\"}"));
            Until.isTrue("the fault", () -> Files.exists(folder.resolve("struck")));
            switch (fault) {
                case ANSWERS_LATE -> {
                    host.say(
                            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}");
                    host.say(TestHost.call(2, "pay", "{\"to\":\"ann\"}"));
                    Files.createFile(folder.resolve("go"));
                    return host.answer(2);
                }
                case IS_KILLED_WITH_ITS_GUARD -> kill(host.process());
                default -> {
                    // The fault needs no help.
                }
            }
            return again(host, command);
        } finally {
            host.close();
        }
    }

    private static Message again(HostOfProcess host, List<String> command) throws Exception {
        try {
            host.answer(1);
            host.say(TestHost.call(2, "pay", "{\"to\":\"ann\"}"));
            return host.answer(2);
        } catch (IOException ended) {
            try (HostOfProcess next = new HostOfProcess(command)) {
                next.say(TestHost.call(2, "pay", "{\"to\":\"ann\"}"));
                return next.answer(2);
            }
        }
    }

    private static void kill(Process guard) throws Exception {
        List<ProcessHandle> all = guard.descendants().toList();
        guard.destroyForcibly().waitFor();
        for (ProcessHandle each : all) {
            each.destroyForcibly();
            each.onExit().get(60, TimeUnit.SECONDS);
        }
    }

    private List<String> effects() throws IOException {
        return Files.readAllLines(folder.resolve("effects"));
    }
}
