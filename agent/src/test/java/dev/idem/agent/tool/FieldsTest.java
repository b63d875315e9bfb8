package dev.idem.agent.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FieldsTest {
    private static final Path CASES = Path.of("..", "clients", "field-cases.jsonl");

    /** The tests of the packages for TypeScript and Python read the same cases. */
    @Test
    @SuppressWarnings("unchecked")
    void choosesWhatAllLanguagesChoose() throws IOException {
        List<String> lines = Files.readAllLines(CASES);
        assertThat(lines).hasSizeGreaterThan(10);
        for (String line : lines) {
            Map<String, @Nullable Object> one = (Map<String, @Nullable Object>) Json.parse(line);
            if (one.containsKey("refused")) {
                assertThatThrownBy(() -> fields(one)).as(line).isInstanceOf(IllegalArgumentException.class);
                continue;
            }
            var arguments = (Map<String, @Nullable Object>) one.get("arguments");
            assertThat(fields(one).identityOf(arguments)).as(line).isEqualTo(one.get("identity"));
            assertThat(fields(one).contentOf(arguments)).as(line).isEqualTo(one.get("content"));
        }
    }

    private static Fields fields(Map<String, @Nullable Object> one) {
        var named = (Map<?, ?>) one.get("fields");
        return named == null
                ? Fields.ALL
                : new Fields(names(named, "identity"), names(named, "content"), names(named, "ignored"));
    }

    private static Set<String> names(Map<?, ?> fields, String of) {
        var names = (List<?>) fields.get(of);
        return names == null
                ? Set.of()
                : Set.copyOf(names.stream().map(String::valueOf).toList());
    }
}
