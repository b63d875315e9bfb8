package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.cli.entry.Suggested;
import dev.idem.cli.run.ExitCodes;
import dev.idem.cli.run.RunCommand;
import dev.idem.cli.run.RunRequest;
import dev.idem.cli.run.Sources;
import dev.idem.cli.syntax.ArgumentParser;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Durations;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.UsageException;
import dev.idem.command.Shell;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValuesTest {
    private static final Syntax RUN = RunCommand.COMMAND.syntax();

    private static Arguments given(String option, String value) {
        return ArgumentParser.parse(RUN, List.of("--key", "k", option, value, "--", "true"), Map.of());
    }

    @ParameterizedTest
    @CsvSource({"500ms, PT0.5S", "60s, PT1M", "5m, PT5M", "5 m, PT5M", "2h, PT2H", "7d, PT168H", "0, PT0S", "0s, PT0S"})
    void aTimeIsANumberAndAUnit(String text, Duration time) {
        assertThat(Durations.orZero(given("--wait", text), RunRequest.WAIT)).isEqualTo(time);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "s", "-1s", "1.5s", "5 5m", "1w", "5M", "9999999999999999s", "99999d", "٣s"})
    void anythingElseIsNoTime(String text) {
        assertThatThrownBy(() -> Durations.orZero(given("--wait", text), RunRequest.WAIT))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--wait: '" + text + "'");
    }

    @Test
    void aLeaseOfNothingIsRefused() {
        assertThatThrownBy(() -> Durations.positive(given("--lease", "0"), Options.LEASE))
                .hasMessageContaining("--lease must be more than 0");
    }

    @Test
    void exitCodesAreListedAloneAndInRanges() {
        ExitCodes codes = ExitCodes.parse("1, 2,64-78", "--failed-exits");
        assertThat(IntStream.range(0, 256).filter(codes::contains))
                .containsExactly(1, 2, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78);
    }

    @ParameterizedTest
    @CsvSource({
        "'', is no exit code",
        "'1,', is no exit code",
        "x, is no exit code",
        "5-3, runs backwards",
        "0, exit 0 means that it happened",
        "127-128, always in doubt",
        "1-2-3, is no exit code",
    })
    void exitCodesThatMakeNoSenseAreRefused(String list, String why) {
        assertThatThrownBy(() -> ExitCodes.parse(list, "--failed-exits"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(why);
    }

    @Test
    void theIdentityHoldsWhatWasAskedForAndNoMore() {
        Map<String, String> env = Map.of("A", "1", "B", "2");
        List<String> words = List.of("echo", "hi");
        assertThat(Sources.ofGuard(null, "").identity(words, Path.of("/w"), null, env))
                .isEqualTo(Map.of("argv", words));
        assertThat(Sources.ofGuard("cwd,stdin,env:A", "--fingerprint").identity(words, Path.of("/w"), "d1", env))
                .isEqualTo(Map.of("argv", words, "cwd", "/w", "stdin", "d1", "env", Map.of("A", "1")));
        assertThat(Sources.ofGuard("argv", "--fingerprint").identity(words, Path.of("/w"), null, env))
                .isEqualTo(Map.of("argv", words));
        assertThatThrownBy(() -> Sources.ofGuard("cwd,env:", "--fingerprint"))
                .hasMessageContaining("'env:' is not one of argv, cwd, stdin, env:NAME");
    }

    @ParameterizedTest
    @CsvSource({"plain-1.2/x=y, plain-1.2/x=y", "'a b', '''a b'''", "'', ''''''", "'it''s', '''it''\\''''s'''"})
    void wordsAreQuotedForAShell(String word, String quoted) {
        assertThat(Shell.quote(word)).isEqualTo(quoted);
    }

    @Test
    void suggestedCommandsRepeatScopeAndLedgerOfTheLine() {
        Arguments arguments = ArgumentParser.parse(
                RUN, List.of("--key", "-k", "--scope", "a b", "--ledger", "sqlite:x.db", "--", "true"), Map.of());
        assertThat(new Suggested("./idem", arguments, "-k").resolve("failed"))
                .isEqualTo("./idem resolve --as failed --scope 'a b' --ledger sqlite:x.db -- -k");
        assertThat(new Suggested("idem", given("--wait", "0"), "k").show()).isEqualTo("idem show k");
    }
}
