package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.cli.run.RunCommand;
import dev.idem.cli.run.RunRequest;
import dev.idem.cli.syntax.ArgumentParser;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Commands;
import dev.idem.cli.syntax.Help;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArgumentParserTest {
    private static final Syntax RUN = RunCommand.COMMAND.syntax();

    private static Arguments run(String... words) {
        return ArgumentParser.parse(RUN, List.of(words), Map.of());
    }

    @Test
    void aCommandIsListedUnderItsOwnName() {
        assertThat(Commands.names())
                .allSatisfy(
                        name -> assertThat(Commands.find(name).syntax().name()).isEqualTo(name));
    }

    @Test
    void valuesStandBehindTheirOptionOrBehindAnEqualsSign() {
        Arguments arguments = run("--key", "k", "--wait=5s", "--json", "--", "echo", "--key", "--");
        assertThat(arguments.value(RUN.find("--key"))).isEqualTo("k");
        assertThat(arguments.value(RunRequest.WAIT)).isEqualTo("5s");
        assertThat(arguments.flag(Options.JSON)).isTrue();
        assertThat(arguments.flag(Options.DRY_RUN)).isFalse();
        assertThat(arguments.command()).containsExactly("echo", "--key", "--");
    }

    @Test
    void anAliasIsTheSameOption() {
        assertThat(run("--idempotency-key", "k", "--", "true").value(RUN.find("--key")))
                .isEqualTo("k");
    }

    @Test
    void theLineGoesBeforeTheEnvironmentAndThatBeforeTheDefault() {
        Map<String, String> env = Map.of("IDEM_WAIT", "1s", "IDEM_LEASE", "2s", "IDEM_TTL", "");
        Arguments arguments = ArgumentParser.parse(RUN, List.of("--key", "k", "--wait", "3s", "--", "true"), env);
        assertThat(arguments.value(RunRequest.WAIT)).isEqualTo("3s");
        assertThat(arguments.value(Options.LEASE)).isEqualTo("2s");
        assertThat(arguments.value(Options.TTL)).isEqualTo("7d");
        assertThat(arguments.onLine(RunRequest.WAIT)).isTrue();
        assertThat(arguments.onLine(Options.LEASE)).isFalse();
    }

    @Test
    void theKeyOfTheCallAroundIsNotTakenFromTheEnvironment() {
        Arguments arguments = ArgumentParser.parse(RUN, List.of("--", "true"), Map.of("IDEM_KEY", "outer"));
        assertThatThrownBy(() -> arguments.value(RUN.find("--key"))).hasMessageContaining("needs --key K");
    }

    @Test
    void everyOptionOfTheTableIsParsed() {
        List<String> words = new ArrayList<>();
        for (Option option : RUN.options()) {
            words.add(option.name());
            if (!option.isFlag()) {
                words.add(option.words().isEmpty() ? "value" : option.words().get(0));
            }
        }
        words.addAll(List.of("--", "true"));
        Arguments arguments = ArgumentParser.parse(RUN, words, Map.of());
        assertThat(RUN.options())
                .allMatch(option ->
                        arguments.flag(option) || arguments.all(option).equals(List.of("value")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--kye k -- true | unknown option --kye (did you mean --key?)",
                "--frobnicate -- true | unknown option --frobnicate; see: idem help run",
                "--key -- true | --key needs a value: --key K",
                "--key k --key j -- true | --key is given twice",
                "--json=yes --key k -- true | --json takes no value",
                "--key k | there is no command to run",
                "--key k -- | there is no command to run",
                "--key k echo hi | write -- before the command: idem run --key K -- echo",
            })
    void aLineThatDoesNotFitIsRefusedAndToldWhy(String line, String why) {
        assertThatThrownBy(() -> run(line.split(" ")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(why);
    }

    @Test
    void aFlagInTheEnvironmentIsOnOrOffAndNothingElse() {
        List<String> line = List.of("--key", "k", "--", "true");
        assertThat(ArgumentParser.parse(RUN, line, Map.of("IDEM_JSON", "1")).flag(Options.JSON))
                .isTrue();
        assertThat(ArgumentParser.parse(RUN, line, Map.of("IDEM_JSON", "0")).flag(Options.JSON))
                .isFalse();
        assertThatThrownBy(() -> ArgumentParser.parse(RUN, line, Map.of("IDEM_JSON", "maybe")))
                .hasMessageContaining("IDEM_JSON: 'maybe'");
    }

    @Test
    void aKeyThatLooksLikeAnOptionStandsBehindTwoDashes() {
        assertThat(ArgumentParser.parse(Commands.find("show").syntax(), List.of("--json", "--", "-k"), Map.of())
                        .operand())
                .isEqualTo("-k");
    }

    @Test
    void theHelpShowsEveryOptionWithItsVariableAndItsDefault() {
        for (Syntax syntax : Commands.syntaxes()) {
            String help = Help.of(syntax);
            String words = help.replaceAll("\\s+", " ");
            for (Option option : syntax.options()) {
                assertThat(help).contains(option.name());
                assertThat(option.env() == null || words.contains("[" + option.env() + "]"))
                        .isTrue();
                String fallback = option.fallback();
                assertThat(fallback == null || fallback.isEmpty() || words.contains("(default: " + fallback + ")"))
                        .isTrue();
            }
            assertThat(Help.overview()).contains(syntax.usage());
            assertThat(help.lines()).allMatch(line -> line.length() <= 110);
        }
    }
}
