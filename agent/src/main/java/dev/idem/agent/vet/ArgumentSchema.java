package dev.idem.agent.vet;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import dev.idem.Json;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Type;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The JSON Schema of a tool's arguments: derived from its input type, or given. Arguments are checked before anything is
 * claimed or run. References to other documents are not followed. Immutable and thread-safe.
 */
public final class ArgumentSchema {
    private static final int MOST_MISMATCHES = 8;

    private final Map<String, @Nullable Object> json;
    private volatile @Nullable Schema compiled;

    private ArgumentSchema(Map<String, @Nullable Object> json) {
        this.json = Collections.unmodifiableMap(json);
    }

    /** The schema of a record, or of another type with a JSON form. */
    public static ArgumentSchema of(Type type) {
        return new ArgumentSchema(new TypeSchemas().of(type));
    }

    /** The schema of an object with exactly these fields. */
    public static ArgumentSchema of(List<InputField> fields) {
        return new ArgumentSchema(new TypeSchemas().object(fields));
    }

    /**
     * A schema that was written by hand or by a framework.
     *
     * @throws IllegalArgumentException if it is no JSON Schema (draft 2020-12 unless it names another)
     */
    public static ArgumentSchema parse(String schema) {
        if (!(Json.parse(schema) instanceof Map<?, ?> members)) {
            throw new IllegalArgumentException("a schema of arguments is a JSON object, not " + schema);
        }
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        members.forEach((name, value) -> json.put((String) name, value));
        ArgumentSchema parsed = new ArgumentSchema(json);
        try {
            parsed.compiled();
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("this is no JSON Schema: " + e.getMessage(), e);
        }
        return parsed;
    }

    /** Whether a field of this type may be left out: an optional, or what an annotation says may be null. */
    public static boolean isOptional(Type type, AnnotatedElement annotated) {
        return TypeSchemas.isOptional(type, annotated);
    }

    /** The schema itself, as plain JSON values. */
    public Map<String, @Nullable Object> json() {
        return json;
    }

    /** The schema as JSON text, as a model is shown it. */
    public String text() {
        return Json.write(json);
    }

    /** The names of the fields it describes. */
    public List<String> fields() {
        return json.get("properties") instanceof Map<?, ?> properties
                ? properties.keySet().stream().map(String.class::cast).toList()
                : List.of();
    }

    /** Arguments that fit, as JSON text. */
    public String example() {
        return Json.write(Examples.of(json));
    }

    /**
     * The mismatches; empty if the arguments fit.
     *
     * @param arguments as plain JSON values
     */
    public List<Mismatch> check(@Nullable Object arguments) {
        return compiled().validate(Json.write(arguments), InputFormat.JSON).stream()
                .limit(MOST_MISMATCHES)
                .map(error -> Mismatches.of(error, arguments, json))
                .toList();
    }

    private Schema compiled() {
        Schema ready = compiled;
        if (ready == null) {
            ready = Registry.INSTANCE.getSchema(Json.write(json), InputFormat.JSON);
            ready.initializeValidators();
            compiled = ready;
        }
        return ready;
    }

    @Override
    public String toString() {
        return text();
    }

    /** Loaded with the first schema that is used. */
    private static final class Registry {
        static final SchemaRegistry INSTANCE = SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_2020_12,
                builder -> builder.schemaCacheEnabled(false)
                        .schemaRegistryConfig(SchemaRegistryConfig.builder()
                                .locale(Locale.ROOT)
                                .formatAssertionsEnabled(false)
                                .build()));
    }
}
