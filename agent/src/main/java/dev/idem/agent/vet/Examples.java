package dev.idem.agent.vet;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes a small value that fits a schema, to show a model what arguments look like. */
final class Examples {
    private static final int DEEPEST = 5;

    private Examples() {}

    static @Nullable Object of(Map<?, ?> schema) {
        return of(schema, "", 0);
    }

    private static @Nullable Object of(Map<?, ?> schema, String name, int depth) {
        if (schema.get("examples") instanceof List<?> given && !given.isEmpty()) {
            return given.get(0);
        } else if (schema.containsKey("default")) {
            return schema.get("default");
        } else if (schema.containsKey("const")) {
            return schema.get("const");
        } else if (schema.get("enum") instanceof List<?> constants && !constants.isEmpty()) {
            return constants.get(0);
        }
        return ofType(type(schema), schema, name, depth);
    }

    private static @Nullable Object ofType(String type, Map<?, ?> schema, String name, int depth) {
        return switch (type) {
            case "integer" -> schema.get("minimum") instanceof Number least ? least : 1;
            case "number" -> schema.get("minimum") instanceof Number least ? least : 1.5;
            case "boolean" -> true;
            case "array" ->
                depth < DEEPEST && schema.get("items") instanceof Map<?, ?> items
                        ? List.of(ofNonNull(items, name, depth))
                        : List.of();
            case "object" -> object(schema, depth);
            case "null" -> null;
            default -> string(schema, name);
        };
    }

    private static Object ofNonNull(Map<?, ?> schema, String name, int depth) {
        Object value = of(schema, name, depth + 1);
        return value == null ? "…" : value;
    }

    private static Map<String, @Nullable Object> object(Map<?, ?> schema, int depth) {
        Map<String, @Nullable Object> example = new LinkedHashMap<>();
        if (depth < DEEPEST && schema.get("properties") instanceof Map<?, ?> properties) {
            Object required = schema.get("required");
            properties.forEach((name, property) -> {
                boolean needed = !(required instanceof List<?> names) || names.contains(name);
                if (needed && property instanceof Map<?, ?> inner) {
                    example.put((String) name, of(inner, (String) name, depth + 1));
                }
            });
        }
        return example;
    }

    private static String string(Map<?, ?> schema, String name) {
        Object format = schema.get("format");
        return switch (format == null ? "" : format.toString()) {
            case "uuid" -> "0b0a6c1e-0000-4000-8000-000000000000";
            case "uri" -> "https://example.com";
            case "date-time" -> "2026-01-31T12:00:00Z";
            case "date" -> "2026-01-31";
            case "time" -> "12:00:00";
            case "duration" -> "PT5M";
            case "email" -> "ann@example.com";
            default -> name.isEmpty() ? "…" : "<" + name + ">";
        };
    }

    private static String type(Map<?, ?> schema) {
        Object type = schema.get("type");
        if (type instanceof List<?> types && !types.isEmpty()) {
            return String.valueOf(types.get(0));
        }
        return type instanceof String one ? one : schema.containsKey("properties") ? "object" : "string";
    }
}
