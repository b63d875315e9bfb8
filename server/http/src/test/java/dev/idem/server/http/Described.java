package dev.idem.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import dev.idem.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** An OpenAPI document whose objects are all closed, so that what it does not declare is an error. */
final class Described {
    private static final String HERE = "https://idem.test/openapi.json";

    private final Map<String, @Nullable Object> document;
    private final SchemaRegistry schemas;

    Described(String openApi) {
        document = map(closed(Json.parse(openApi)));
        schemas = SchemaRegistry.withDialect(
                Dialects.getOpenApi31(), builder -> builder.schemas(Map.of(HERE, Json.writePlain(document))));
    }

    void require(String schema, String json) {
        assertThat(errors(schema, json)).as("%s: %s", schema, json).isEmpty();
    }

    List<String> errors(String schema, String json) {
        return schemas
                .getSchema(SchemaLocation.of(HERE + "#/components/schemas/" + schema))
                .validate(json, InputFormat.JSON)
                .stream()
                .map(Object::toString)
                .toList();
    }

    Set<String> paths() {
        return map(document.get("paths")).keySet();
    }

    /** All answers that it declares: the method, a blank and the word. */
    Set<String> answers() {
        Set<String> all = new TreeSet<>();
        map(map(document.get("components")).get("schemas")).forEach((name, schema) -> {
            if (name.endsWith(".answer")) {
                for (Object each : (List<?>) map(schema).get("oneOf")) {
                    Object word =
                            map(map(map(each).get("properties")).get("answer")).get("const");
                    all.add(name.replaceAll("\\.answer$", " ") + word);
                }
            }
        });
        return all;
    }

    private static @Nullable Object closed(@Nullable Object json) {
        if (json instanceof List<?> list) {
            return list.stream().map(Described::closed).toList();
        } else if (!(json instanceof Map<?, ?>)) {
            return json;
        }
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        map(json).forEach((name, value) -> copy.put(name, closed(value)));
        if (copy.get("properties") instanceof Map && "object".equals(copy.get("type"))) {
            copy.put("additionalProperties", false);
        }
        return copy;
    }

    @SuppressWarnings("unchecked")
    static Map<String, @Nullable Object> map(@Nullable Object json) {
        return (Map<String, @Nullable Object>) json;
    }
}
