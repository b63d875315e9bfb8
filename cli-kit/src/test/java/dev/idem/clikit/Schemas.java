package dev.idem.clikit;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.idem.command.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** The published schemas of what commands write. */
final class Schemas {
    private static final SchemaRegistry REGISTRY = SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12,
            builder -> builder.schemas(Map.of(
                    "urn:idem:command:envelope", text("envelope"),
                    "urn:idem:command:flat", text("flat"),
                    "urn:idem:command:manifest", text("manifest"))));

    private Schemas() {}

    static void requireEnvelope(String json) {
        assertThat(errors("envelope", json)).as(json).isEmpty();
    }

    static void requireFlat(String json) {
        assertThat(errors("flat", json)).as(json).isEmpty();
    }

    static void requireManifest(String json) {
        assertThat(errors("manifest", json)).as(json).isEmpty();
    }

    static List<String> errors(String schema, String json) {
        Schema found = REGISTRY.getSchema(SchemaLocation.of("urn:idem:command:" + schema));
        return found.validate(json, InputFormat.JSON).stream()
                .map(Object::toString)
                .toList();
    }

    private static String text(String schema) {
        try (InputStream in = Answer.class.getResourceAsStream(schema + ".schema.json")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
