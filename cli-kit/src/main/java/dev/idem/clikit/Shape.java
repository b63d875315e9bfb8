package dev.idem.clikit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The two shapes of the one JSON object that a command writes. */
enum Shape {
    /** {@code ok}, {@code data} with the effect in it, {@code error}, {@code warnings}, {@code meta}. */
    ENVELOPE {
        @Override
        Map<String, @Nullable Object> of(Answer answer, long millis) {
            Map<String, @Nullable Object> shape = new LinkedHashMap<>();
            shape.put("ok", answer.exit() == 0);
            shape.put("data", data(answer));
            shape.put("error", error(answer));
            shape.put("warnings", answer.warnings());
            shape.put("meta", meta(answer, millis));
            return shape;
        }
    },
    /** {@code ok}, {@code effect}, {@code reason}, {@code data} and {@code changes} side by side. */
    FLAT {
        @Override
        Map<String, @Nullable Object> of(Answer answer, long millis) {
            Map<String, @Nullable Object> shape = new LinkedHashMap<>();
            shape.put("ok", answer.exit() == 0);
            putEffect(shape, answer);
            if (answer.exit() == 0) {
                shape.put("data", answer.data());
            } else {
                shape.put("error", error(answer));
            }
            if (!answer.warnings().isEmpty()) {
                shape.put("warnings", answer.warnings());
            }
            shape.put("meta", meta(answer, millis));
            return shape;
        }
    };

    abstract Map<String, @Nullable Object> of(Answer answer, long millis);

    /** The result with the effect in it; what is no object becomes a member of one. */
    private static @Nullable Object data(Answer answer) {
        Object value = answer.data();
        if (answer.effect() == null) {
            return value;
        }
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> members) {
            members.forEach((name, member) -> fields.put((String) name, member));
        } else if (value != null) {
            fields.put(value instanceof List<?> ? "items" : "value", value);
        }
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        putEffect(data, answer);
        for (String own : data.keySet()) {
            if (fields.remove(own) != null) {
                answer.warn("FIELD_HIDDEN", "the result has a field '" + own + "' of its own, which is not shown");
            }
        }
        data.putAll(fields);
        return data;
    }

    private static void putEffect(Map<String, @Nullable Object> fields, Answer answer) {
        if (answer.effect() != null) {
            fields.put("effect", answer.effect());
        }
        if (answer.reason() != null) {
            fields.put("reason", answer.reason());
        }
        if (answer.changes() != null) {
            fields.put("changes", answer.changes());
        }
    }

    private static @Nullable Object error(Answer answer) {
        Problem problem = answer.problem();
        return problem == null ? null : problem.fields();
    }

    private static Map<String, @Nullable Object> meta(Answer answer, long millis) {
        Map<String, @Nullable Object> meta = new LinkedHashMap<>();
        meta.put("exit_code", answer.exit());
        meta.put("duration_ms", millis);
        meta.put("schema_version", "1.16");
        meta.putAll(answer.meta());
        return meta;
    }
}
