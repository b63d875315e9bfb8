package dev.idem.cli;

import dev.idem.agent.vet.ArgumentSchema;
import dev.idem.command.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Checks JSON against the published schemas of what commands write. */
final class SchemaCheck {
    private SchemaCheck() {}

    /** What is wrong with the value; nothing when it fits. */
    static List<?> problems(String schema, Object value) {
        String file = schema + ".schema.json";
        try (InputStream in = Objects.requireNonNull(Answer.class.getResourceAsStream(file), file)) {
            return ArgumentSchema.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .check(value);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
