package dev.idem.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.idem.clikit.Kit;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The schemas that the kit publishes. */
final class Schemas {
    private static final SchemaRegistry REGISTRY = SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12,
            builder -> builder.schemas(
                    Map.of("urn:idem:command:envelope", text("envelope"), "urn:idem:command:flat", text("flat"))));

    private Schemas() {}

    static void require(String schema, String json) {
        var found = REGISTRY.getSchema(SchemaLocation.of("urn:idem:command:" + schema));
        assertThat(found.validate(json, InputFormat.JSON)).as(json).isEmpty();
    }

    private static String text(String schema) {
        try (InputStream in = Kit.class.getResourceAsStream("/dev/idem/command/" + schema + ".schema.json")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
