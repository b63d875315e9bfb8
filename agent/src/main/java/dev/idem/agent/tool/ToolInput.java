package dev.idem.agent.tool;

import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.internal.json.JsonBinder;
import dev.idem.internal.json.JsonValues;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The arguments of a call as they came: a JSON object. Immutable. */
public final class ToolInput {
    private final Map<String, @Nullable Object> fields;

    private ToolInput(Map<String, @Nullable Object> fields) {
        this.fields = fields;
    }

    /**
     * Parses the arguments that a model gave; blank text means none.
     *
     * @throws JsonException if it is not strict JSON, or no object
     */
    public static ToolInput parse(String json) {
        return ofPlain(json.isBlank() ? Map.of() : Json.parseExact(json));
    }

    /**
     * Takes arguments as they are now; what happens to them later changes nothing.
     *
     * @throws JsonException if something in them has no JSON form, such as NaN
     */
    public static ToolInput of(Map<String, ?> arguments) {
        return ofPlain(JsonValues.of(arguments));
    }

    @SuppressWarnings("unchecked") // the names in a plain object are strings
    private static ToolInput ofPlain(@Nullable Object plain) {
        if (plain instanceof Map<?, ?> members) {
            return new ToolInput((Map<String, @Nullable Object>) members);
        }
        // Binding throws the usual error for a value of another type.
        return new ToolInput(Objects.requireNonNull(
                (Map<String, @Nullable Object>) JsonBinder.bind(Objects.requireNonNullElse(plain, "null"), Map.class)));
    }

    /** The fields, as plain JSON values; unmodifiable. */
    public Map<String, @Nullable Object> fields() {
        return fields;
    }

    /** One field, or null where it is absent. */
    public @Nullable Object get(String name) {
        return fields.get(name);
    }

    /** A field that is there and is text. */
    public String text(String name) {
        return Objects.requireNonNull(JsonBinder.bind(fields.get(name), String.class), name);
    }

    /** All of it as a record, or as another type that arguments can be bound to. */
    public <T> T as(Class<T> type) {
        return Objects.requireNonNull(JsonBinder.bind(fields, type));
    }

    /** The arguments as JSON text. */
    public String json() {
        return Json.write(fields);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ToolInput that && fields.equals(that.fields);
    }

    @Override
    public int hashCode() {
        return fields.hashCode();
    }

    /** Names only: arguments may hold secrets. */
    @Override
    public String toString() {
        return "ToolInput" + fields.keySet();
    }
}
