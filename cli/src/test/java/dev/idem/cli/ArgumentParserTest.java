package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.cli.syntax.ArgumentParser;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Help;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.Syntaxes;
import dev.idem.cli.syntax.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArgumentParserTest {
    private static Arguments run(String... words) {
        return ArgumentParser.parse(Syntaxes.RUN, List.of(words), Map.of());
    }

    @Test
    void valuesStandBehindTheirOptionOrBehindAnEqualsSign() {
        Arguments arguments = run("--key", "k", "--wait=5s", "--json", "--", "echo", "--key", "--");
        assertThat(arguments.value(Syntaxes.KEY)).isEqualTo("k");
        assertThat(arguments.value(Syntaxes.WAIT)).isEqualTo("5s");
        assertThat(arguments.flag(Syntaxes.JSON)).isTrue();
        assertThat(arguments.flag(Syntaxes.DRY_RUN)).isFalse();
        assertThat(arguments.command()).containsExactly("echo", "--key", "--");
    }

    @Test
    void anAliasIsTheSameOption() {
        assertThat(run("--idempotency-key", "k", "--", "true").value(Syntaxes.KEY))
                .isEqualTo("k");
    }

    @Test
    void theLineGoesBeforeTheEnvironmentAndThatBeforeTheDefault() {
        Map<String, String> env = Map.of("IDEM_WAIT", "1s", "IDEM_LEASE", "2s", "IDEM_TTL", "");
        Arguments arguments =
                ArgumentParser.parse(Syntaxes.RUN, List.of("--key", "k", "--wait", "3s", "--", "true"), env);
        assertThat(arguments.value(Syntaxes.WAIT)).isEqualTo("3s");
        assertThat(arguments.value(Syntaxes.LEASE)).isEqualTo("2s");
        assertThat(arguments.value(Syntaxes.TTL)).isEqualTo("7d");
        assertThat(arguments.onLine(Syntaxes.WAIT)).isTrue();
        assertThat(arguments.onLine(Syntaxes.LEASE)).isFalse();
    }

    @Test
    void theKeyOfTheCallAroundIsNotTakenFromTheEnvironment() {
        Arguments arguments = ArgumentParser.parse(Syntaxes.RUN, List.of("--", "true"), Map.of("IDEM_KEY", "outer"));
        assertThatThrownBy(() -> arguments.value(Syntaxes.KEY)).hasMessageContaining("needs --key K");
    }

    @Test
    void everyOptionOfTheTableIsParsed() {
        List<String> words = new ArrayList<>();
        for (Option option : Syntaxes.RUN.options()) {
            words.add(option.name());
            if (!option.isFlag()) {
                words.add(option.words().isEmpty() ? "value" : option.words().get(0));
            }
        }
        words.addAll(List.of("--", "true"));
        Arguments arguments = ArgumentParser.parse(Syntaxes.RUN, words, Map.of());
        assertThat(Syntaxes.RUN.options())
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
        assertThat(ArgumentParser.parse(Syntaxes.RUN, line, Map.of("IDEM_JSON", "1"))
                        .flag(Syntaxes.JSON))
                .isTrue();
        assertThat(ArgumentParser.parse(Syntaxes.RUN, line, Map.of("IDEM_JSON", "0"))
                        .flag(Syntaxes.JSON))
                .isFalse();
        assertThatThrownBy(() -> ArgumentParser.parse(Syntaxes.RUN, line, Map.of("IDEM_JSON", "maybe")))
                .hasMessageContaining("IDEM_JSON: 'maybe'");
    }

    @Test
    void aKeyThatLooksLikeAnOptionStandsBehindTwoDashes() {
        assertThat(ArgumentParser.parse(Syntaxes.SHOW, List.of("--json", "--", "-k"), Map.of())
                        .operand())
                .isEqualTo("-k");
    }

    @Test
    void theHelpShowsEveryOptionWithItsVariableAndItsDefault() {
        for (Syntax syntax : Syntaxes.all()) {
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
