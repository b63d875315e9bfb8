package dev.idem.agent.vet;

import com.networknt.schema.Error;
import com.networknt.schema.path.NodePath;
import dev.idem.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Describes the findings of the validator for a model. */
final class Mismatches {
    private static final int LONGEST = 60;

    private Mismatches() {}

    static Mismatch of(Error error, @Nullable Object arguments, Map<String, @Nullable Object> schema) {
        List<Object> path = path(error.getInstanceLocation());
        Object value = at(arguments, path);
        Object described = schemaAt(schema, path);
        Map<?, ?> here = described instanceof Map<?, ?> found ? found : Map.of();
        String property = error.getProperty();
        String keyword = String.valueOf(error.getKeyword());
        if (keyword.equals("required") && property != null) {
            Object wanted = here.get("properties") instanceof Map<?, ?> all ? all.get(property) : null;
            return new Mismatch(
                    name(path, property), wanted instanceof Map<?, ?> inner ? kind(inner) : "a value", "nothing");
        } else if (keyword.equals("additionalProperties") && property != null) {
            return new Mismatch(name(path, property), "no such field" + known(here), "one");
        }
        String expected = switch (keyword) {
            case "type", "enum", "const" -> kind(here);
            default -> expectation(String.valueOf(error.getMessage()));
        };
        return new Mismatch(name(path, null), expected, got(value));
    }

    private static String known(Map<?, ?> schema) {
        return schema.get("properties") instanceof Map<?, ?> all
                ? "; there are "
                        + String.join(
                                ", ", all.keySet().stream().map(String::valueOf).toList())
                : "";
    }

    /** The validator says "/cents: must have a minimum value of 1"; the place is said elsewhere. */
    private static String expectation(String message) {
        int colon = message.indexOf(": ");
        return "a value that " + (colon < 0 ? message : message.substring(colon + 2));
    }

    private static String kind(Map<?, ?> schema) {
        if (schema.get("enum") instanceof List<?> constants) {
            return "one of " + shortened(Json.write(constants));
        } else if (schema.containsKey("const")) {
            return shortened(Json.write(schema.get("const")));
        }
        Object type = schema.get("type");
        List<?> types = type instanceof List<?> several ? several : type == null ? List.of() : List.of(type);
        return types.isEmpty()
                ? "another value"
                : String.join(" or ", types.stream().map(Mismatches::word).toList());
    }

    private static String word(Object type) {
        return switch (String.valueOf(type)) {
            case "integer" -> "an integer";
            case "number" -> "a number";
            case "string" -> "a string";
            case "boolean" -> "true or false";
            case "array" -> "an array";
            case "object" -> "an object";
            default -> String.valueOf(type);
        };
    }

    static String got(@Nullable Object value) {
        if (value == null) {
            return "null";
        } else if (value instanceof Map<?, ?>) {
            return "an object";
        } else if (value instanceof List<?>) {
            return "an array";
        }
        String kind = value instanceof String ? "the string " : value instanceof Number ? "the number " : "";
        return kind + shortened(Json.write(value));
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }

    private static List<Object> path(NodePath location) {
        List<Object> path = new ArrayList<>();
        for (int i = 0; i < location.getNameCount(); i++) {
            path.add(location.getElement(i));
        }
        return path;
    }

    private static String name(List<Object> path, @Nullable String property) {
        StringBuilder name = new StringBuilder();
        List<Object> whole = new ArrayList<>(path);
        if (property != null) {
            whole.add(property);
        }
        for (Object step : whole) {
            if (step instanceof Number) {
                name.append('[').append(step).append(']');
            } else {
                name.append(name.isEmpty() ? "" : ".").append(step);
            }
        }
        return name.toString();
    }

    private static @Nullable Object at(@Nullable Object value, List<Object> path) {
        Object here = value;
        for (Object step : path) {
            if (here instanceof Map<?, ?> members) {
                here = members.get(step.toString());
            } else if (here instanceof List<?> elements && step instanceof Integer index) {
                here = index < elements.size() ? elements.get(index) : null;
            }
        }
        return here;
    }

    /** The schema of a place, as far as it is plainly written there. */
    private static @Nullable Object schemaAt(Map<?, ?> schema, List<Object> path) {
        Object here = schema;
        for (Object step : path) {
            if (!(here instanceof Map<?, ?> inner)) {
                return null;
            } else if (step instanceof Number) {
                here = inner.get("items");
            } else {
                Object named = inner.get("properties") instanceof Map<?, ?> all ? all.get(step) : null;
                here = named != null ? named : inner.get("additionalProperties");
            }
        }
        return here;
    }
}
