package dev.idem.agent.formula;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.Key;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.EnumSource;

class FormulaTest {

    @Test
    void givesThePublishedAnswers() throws IOException {
        List<?> answers = (List<?>) Json.parse(Files.readAllBytes(publicData().resolve("keys/known-answers.json")));
        Set<Formula> covered = EnumSet.noneOf(Formula.class);

        for (Object answer : answers) {
            Map<?, ?> fields = (Map<?, ?>) answer;
            Formula formula = Formula.named((String) fields.get("formula"));
            assertThat(formula.key(fields.get("input"))).as("%s", fields).hasToString((String) fields.get("expected"));
            covered.add(formula);
        }
        assertThat(covered).containsExactly(Formula.values());
    }

    /** Answers of the Python programs themselves, on input that is easy to get wrong. */
    @ParameterizedTest
    @CsvFileSource(resources = "python-keys.tsv", delimiter = '\t', quoteCharacter = '\0', maxCharsPerColumn = 10_000)
    void givesTheAnswersOfPython(String id, String input, String expected) {
        assertThat(Formula.named(id).key(Json.parse(input))).hasToString(expected);
    }

    @ParameterizedTest
    @EnumSource
    void isFoundByItsId(Formula formula) {
        assertThat(Formula.named(formula.id())).isSameAs(formula);
    }

    @Test
    void listsTheFormulasWhenOneIsUnknown() {
        assertThatThrownBy(() -> Formula.named("md5"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("There is no formula \"md5\"; known are agentidemp.sha256_hex,");
    }

    @Test
    void saysWhatInputItTakes() {
        assertThatThrownBy(() -> Formula.PLAIN_SHA256.key(1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Formula plain_sha256: the input must be a string, not a java.lang.Integer");
        assertThatThrownBy(() -> Formula.AGENTIDEMP_SCOPED_SHA256_HEX.key(List.of("scope")))
                .hasMessageEndingWith("the input must be a list of 2, not 1");
        assertThatThrownBy(() -> Formula.AGENTIDEMP_SCOPED_SHA256_HEX.key(List.of("a", "b", "c")))
                .hasMessageEndingWith("the input must be a list of 2, not 3");
        assertThatThrownBy(() -> Formula.AGENTIDEMP_SCOPED_KEY.key(List.of()))
                .hasMessageEndingWith("the input must be a list of at least 1, not 0");
        assertThatThrownBy(() -> Formula.AGENTIDEMP_SCOPED_KEY.key(List.of("a", 1)))
                .hasMessageEndingWith("the input[1] must be a string, not a java.lang.Integer");
        assertThatThrownBy(() -> Formula.TOOL_RESULT_CACHE_MAKE_KEY.key(Map.of("args", 1)))
                .hasMessageEndingWith("the input lacks \"tool\"");
        assertThatThrownBy(() -> Formula.AGENT_SESSION_KEY.key(Map.of("session", "s")))
                .hasMessageContaining("must have the members [session, tool, inputs]");
        assertThatThrownBy(() -> Formula.WEBHOOK_PAYLOAD_HASH.key(null))
                .hasMessageEndingWith("the input must be a map, not null");
    }

    @Test
    void refusesWhatPythonMayPrintOtherwise() {
        for (Object value : List.of(new BigDecimal("1.5"), 1.5f, Instant.EPOCH, Set.of(), 'c', Formula.PLAIN_SHA256)) {
            assertThatThrownBy(() -> Formula.TOOL_CALL_DEDUP_HASH.key(Map.of("a", value)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Can't tell how Python would print a "
                            + value.getClass().getName());
        }
        assertThatThrownBy(() -> Formula.TOOL_CALL_DEDUP_HASH.key(Map.of(1, "a")))
                .hasMessageContaining("string keys only");
        assertThatThrownBy(() -> cliKey(Map.of("a", Map.of("x", 1, "y", 2))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("in the order it was filled in");
        assertThatThrownBy(() -> cliKey(Map.of("a", "\uffff"))).hasMessageContaining("depends on its version");
    }

    @Test
    void refusesWhatHasNoJsonForm() {
        List<Object> itself = new ArrayList<>();
        itself.add(itself);

        for (Object value : List.of(Double.NaN, "\ud800", itself)) {
            assertThatThrownBy(() -> cliKey(Map.of("a", value))).isInstanceOf(JsonException.class);
            assertThatThrownBy(() -> Formula.TOOL_CALL_DEDUP_HASH.key(List.of(value)))
                    .isInstanceOf(JsonException.class);
        }
    }

    private static Key cliKey(Map<String, Object> inputs) {
        return Formula.CLI_WORKAROUND_KEY.key(Map.of("operation", "op", "inputs", inputs));
    }

    /** The published test vectors, which are kept beside the repository. */
    private static Path publicData() {
        String given = System.getProperty("idem.data");
        Path data = given != null
                ? Path.of(given)
                : Path.of("../../shared/data").toAbsolutePath().normalize();
        assumeTrue(Files.isDirectory(data), () -> "no public test data at " + data + "; set -Didem.data");
        return data;
    }
}
