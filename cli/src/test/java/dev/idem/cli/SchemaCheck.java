package dev.idem.cli;

import dev.idem.Json;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Checks JSON against one of our schemas: the few words of JSON Schema that they use, and an error for every other word,
 * so that none is taken for checked that is not.
 */
final class SchemaCheck {
    private static final Set<String> SAID = Set.of("$schema", "$id", "title", "description", "definitions");

    private final Map<?, ?> root;
    private final List<String> wrong = new ArrayList<>();

    private SchemaCheck(Map<?, ?> root) {
        this.root = root;
    }

    /** What is wrong with the value; nothing when it fits. */
    static List<String> problems(String schema, Object value) {
        try (InputStream in = Objects.requireNonNull(SchemaCheck.class.getResourceAsStream(schema), schema)) {
            SchemaCheck check = new SchemaCheck((Map<?, ?>) Json.parse(in.readAllBytes()));
            check.check("$", check.root, value);
            return check.wrong;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void check(String path, Map<?, ?> schema, Object value) {
        schema.forEach((word, rule) -> {
            if (!SAID.contains(word)) {
                check(path, schema, String.valueOf(word), rule, value);
            }
        });
    }

    private void check(String path, Map<?, ?> schema, String word, Object rule, Object value) {
        boolean fits = switch (word) {
            case "type" -> isType(String.valueOf(rule), value);
            case "enum" -> ((List<?>) rule).contains(value);
            case "pattern" -> !(value instanceof String text) || text.matches(String.valueOf(rule));
            case "minLength" -> !(value instanceof String text) || text.length() >= number(rule);
            case "maxLength" -> !(value instanceof String text) || text.length() <= number(rule);
            case "minimum" -> !(value instanceof Number) || number(value) >= number(rule);
            case "required" -> !(value instanceof Map<?, ?> map) || map.keySet().containsAll((List<?>) rule);
            case "oneOf" ->
                ((List<?>) rule)
                                .stream()
                                        .filter(one -> fits((Map<?, ?>) one, value))
                                        .count()
                        == 1;
            case "$ref" -> refer(path, String.valueOf(rule), value);
            case "items" -> items(path, (Map<?, ?>) rule, value);
            case "properties" -> properties(path, (Map<?, ?>) rule, value);
            case "additionalProperties" -> additional(path, schema, rule, value);
            default -> throw new AssertionError("the schema uses '" + word + "', which is not checked");
        };
        if (!fits) {
            wrong.add(path + " does not fit " + word + " " + rule + ": " + value);
        }
    }

    private boolean fits(Map<?, ?> schema, Object value) {
        SchemaCheck alone = new SchemaCheck(root);
        alone.check("", schema, value);
        return alone.wrong.isEmpty();
    }

    private boolean refer(String path, String rule, Object value) {
        Object at = root;
        for (String name : rule.substring(2).split("/", -1)) {
            at = ((Map<?, ?>) at).get(name);
        }
        check(path, (Map<?, ?>) at, value);
        return true;
    }

    private boolean items(String path, Map<?, ?> rule, Object value) {
        if (value instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                check(path + "[" + i + "]", rule, list.get(i));
            }
        }
        return true;
    }

    private boolean properties(String path, Map<?, ?> rule, Object value) {
        if (value instanceof Map<?, ?> map) {
            rule.forEach((name, schema) -> {
                if (map.containsKey(name)) {
                    check(path + "." + name, (Map<?, ?>) schema, map.get(name));
                }
            });
        }
        return true;
    }

    private boolean additional(String path, Map<?, ?> schema, Object rule, Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            return true;
        }
        Map<?, ?> named = schema.containsKey("properties") ? (Map<?, ?>) schema.get("properties") : Map.of();
        boolean none = true;
        for (Map.Entry<?, ?> member : map.entrySet()) {
            if (named.containsKey(member.getKey())) {
                continue;
            }
            none = false;
            if (rule instanceof Map<?, ?> other) {
                check(path + "." + member.getKey(), other, member.getValue());
            }
        }
        return none || !Boolean.FALSE.equals(rule);
    }

    private static boolean isType(String type, Object value) {
        return switch (type) {
            case "object" -> value instanceof Map;
            case "array" -> value instanceof List;
            case "string" -> value instanceof String;
            case "boolean" -> value instanceof Boolean;
            case "integer" -> value instanceof Long;
            case "null" -> value == null;
            default -> throw new AssertionError("the schema uses the type " + type);
        };
    }

    private static double number(Object value) {
        return new BigDecimal(value.toString()).doubleValue();
    }
}
