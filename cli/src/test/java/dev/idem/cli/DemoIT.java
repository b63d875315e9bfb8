package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.idem.cli.Idems.Started;
import dev.idem.cli.InProcess.Ran;
import dev.idem.testkit.HeardSignals;
import dev.idem.testkit.Thorough;
import dev.idem.testkit.Until;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code idem demo}, as a process that starts, kills and restarts its agents. */
class DemoIT extends ProcessCase {
    private Path temporary;

    @BeforeEach
    void open() throws IOException {
        temporary = Files.createDirectory(home.resolve("temporary"));
    }

    private Started start(String... options) {
        String[] words = Stream.concat(Stream.of("demo"), Stream.of(options)).toArray(String[]::new);
        // Of two declarations the last one counts.
        List<String> command = Idems.command(List.of("-Djava.io.tmpdir=" + temporary), words);
        return idems.start(Redirect.from(new File("/dev/null")), command);
    }

    private static int count(Ran ran, String side, String what) {
        return ((Number) ((Map<?, ?>) ran.data().get(side)).get(what)).intValue();
    }

    @Test
    void threeChargesWithoutAndOneWith() {
        Ran ran = start("--json").end();
        assertThat(ran.exit()).as(ran.out() + ran.err()).isZero();
        assertThat(ran.err()).isEmpty();
        assertThat(count(ran, "without", "charges")).isEqualTo(3);
        assertThat(count(ran, "without", "emails")).isEqualTo(2);
        assertThat(count(ran, "without", "orders")).isEqualTo(1);
        assertThat(count(ran, "with", "charges")).isEqualTo(1);
        assertThat(count(ran, "with", "charge_requests"))
                .as("the lost one, and one more with the same key; none after the restart")
                .isEqualTo(2);
        assertThat(count(ran, "with", "emails")).isEqualTo(1);
        assertThat(count(ran, "with", "orders")).isEqualTo(1);
        assertThat(SchemaCheck.problems("envelope", ran.json())).isEmpty();
        assertThat(temporary).isEmptyDirectory();
        assertThat(home.resolve("state")).as("the user's own ledger").doesNotExist();
    }

    @Test
    @Tag("proof")
    void aPipeGetsPlainLinesAndATableAtTheEnd() {
        Ran ran = start().end();
        assertThat(ran.exit()).as(ran.err()).isZero();
        assertThat(ran.out())
                .doesNotContain("\u001b")
                .containsSubsequence(
                        "The model is a fixed list",
                        "Without Idem",
                        "booked ch_1; the response is lost",
                        "booked ch_2",
                        "sent em_1",
                        "kill -9",
                        "restart",
                        "booked ch_3",
                        "sent em_2",
                        "created or_1",
                        "With Idem",
                        "booked ch_1; the response is lost",
                        "the same key again: still ch_1",
                        "sent em_1",
                        "kill -9",
                        "restart",
                        "charge        replayed from the ledger",
                        "send_email    replayed from the ledger",
                        "created or_1",
                        "charges booked  3             1",
                        "run --key hello-1");
    }

    @Test
    @Tag("proof")
    void aLedgerThatIsGivenIsLeftAsItWas() {
        String ledger = "sqlite:" + home.resolve("given.db");
        idems.run("run", "--key", "mine", "--ledger", ledger, "--", "true");
        Ran ran = start("--json", "--ledger", ledger).end();
        assertThat(ran.exit()).as(ran.out() + ran.err()).isZero();
        assertThat(count(ran, "with", "charges")).isEqualTo(1);
        Ran left = idems.run("ls", "--json", "--ledger", ledger);
        assertThat((List<?>) left.data().get("entries")).hasSize(1);
        assertThat(start("--ledger", "memory:").end().exit()).isEqualTo(2);
    }

    static Stream<Arguments> signals() {
        return Thorough.first(1, arguments("TERM", 143), arguments("INT", 130));
    }

    @ParameterizedTest
    @MethodSource("signals")
    void interruptedInTheMiddleNothingIsLeft(String signal, int exit) {
        HeardSignals.assume(signal);
        Started demo = start();
        awaitFirstCharge(demo);
        Idems.signal(signal, demo.process.pid());
        Ran ran = demo.end();
        assertThat(ran.exit()).as(ran.err()).isEqualTo(exit);
        assertThat(ran.err()).contains("interrupted");
        assertThat(agents()).isEmpty();
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void theAgentEndsWithADemoThatIsKilled() {
        Started demo = start();
        awaitFirstCharge(demo);
        demo.kill();
        demo.end();
        Until.isTrue("the agent has ended", () -> agents().isEmpty());
    }

    private static void awaitFirstCharge(Started demo) {
        Until.isTrue("an agent is at work", () -> read(demo.stdout()).contains("ch_1"));
    }

    /** All processes that were told to put their files into this test's folder. */
    private List<Path> agents() {
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            return all.filter(process -> read(process.resolve("cmdline")).contains(temporary.toString()))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // not a process, or not any more
        }
    }
}
