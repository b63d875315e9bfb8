package dev.idem.agent.vet;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** JSON Schemas of the Java types that arguments can be bound to. */
final class TypeSchemas {
    private static final Set<Class<?>> INTEGERS = Set.of(
            byte.class,
            short.class,
            int.class,
            long.class,
            Byte.class,
            Short.class,
            Integer.class,
            Long.class,
            BigInteger.class,
            OptionalInt.class,
            OptionalLong.class);
    private static final Set<Class<?>> NUMBERS =
            Set.of(float.class, double.class, Float.class, Double.class, BigDecimal.class, OptionalDouble.class);
    private static final Map<Class<?>, String> FORMATS = Map.of(
            UUID.class, "uuid",
            URI.class, "uri",
            Instant.class, "date-time",
            OffsetDateTime.class, "date-time",
            LocalDate.class, "date",
            LocalTime.class, "time",
            Duration.class, "duration");

    private final Set<Class<?>> open = new HashSet<>();

    /** The schema of an object with these fields, and no others. */
    Map<String, @Nullable Object> object(List<InputField> fields) {
        Map<String, @Nullable Object> properties = new LinkedHashMap<>();
        List<String> required = new ArrayList<>();
        for (InputField field : fields) {
            Map<String, @Nullable Object> schema = new LinkedHashMap<>(of(field.type()));
            if (field.required()) {
                required.add(field.name());
            } else {
                allowNull(schema);
            }
            if (!field.description().isEmpty()) {
                schema.put("description", field.description());
            }
            properties.put(field.name(), schema);
        }
        Map<String, @Nullable Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        schema.put("required", required);
        schema.put("additionalProperties", false);
        return schema;
    }

    Map<String, @Nullable Object> of(Type type) {
        if (type instanceof Class<?> known) {
            return ofClass(known);
        } else if (type instanceof ParameterizedType generic) {
            return generic((Class<?>) generic.getRawType(), generic.getActualTypeArguments());
        } else if (type instanceof GenericArrayType array) {
            return array(of(array.getGenericComponentType()));
        }
        return Map.of();
    }

    private Map<String, @Nullable Object> ofClass(Class<?> type) {
        if (type == boolean.class || type == Boolean.class) {
            return Map.of("type", "boolean");
        } else if (INTEGERS.contains(type)) {
            return Map.of("type", "integer");
        } else if (NUMBERS.contains(type)) {
            return Map.of("type", "number");
        } else if (type.isEnum()) {
            List<String> names = Arrays.stream(type.getEnumConstants())
                    .map(constant -> ((Enum<?>) constant).name())
                    .toList();
            return Map.of("type", "string", "enum", names);
        } else if (FORMATS.containsKey(type)) {
            return Map.of("type", "string", "format", FORMATS.get(type));
        } else if (CharSequence.class.isAssignableFrom(type) || type == char.class || type == Character.class) {
            return Map.of("type", "string");
        } else if (type == byte[].class) {
            return Map.of("type", "string", "contentEncoding", "base64");
        } else if (type.isArray()) {
            return array(of(type.getComponentType()));
        } else if (type.isRecord()) {
            return record(type);
        }
        return generic(type, new Type[0]);
    }

    private Map<String, @Nullable Object> generic(Class<?> raw, Type[] arguments) {
        if (raw == Optional.class && arguments.length == 1) {
            return of(arguments[0]);
        } else if (Collection.class.isAssignableFrom(raw)) {
            return array(arguments.length == 1 ? of(arguments[0]) : Map.of());
        } else if (Map.class.isAssignableFrom(raw)) {
            return arguments.length == 2
                    ? Map.of("type", "object", "additionalProperties", of(arguments[1]))
                    : Map.of("type", "object");
        } else if (raw.isRecord()) {
            return record(raw);
        }
        return Map.of();
    }

    /** A record inside itself may hold anything there: the binder has the last word. */
    private Map<String, @Nullable Object> record(Class<?> type) {
        if (!open.add(type)) {
            return Map.of("type", "object");
        }
        Map<String, @Nullable Object> schema = object(fields(type));
        open.remove(type);
        return schema;
    }

    static List<InputField> fields(Class<?> recordType) {
        List<InputField> fields = new ArrayList<>();
        for (RecordComponent component : recordType.getRecordComponents()) {
            boolean optional = isOptional(component.getGenericType(), component.getAnnotatedType())
                    || isOptional(component.getGenericType(), component);
            fields.add(new InputField(component.getName(), component.getGenericType(), !optional, ""));
        }
        return fields;
    }

    /** Whether it may be left out: an optional, or anything that an annotation of that name says may be null. */
    static boolean isOptional(Type type, AnnotatedElement annotated) {
        Type raw = type instanceof ParameterizedType generic ? generic.getRawType() : type;
        return raw == Optional.class
                || raw == OptionalInt.class
                || raw == OptionalLong.class
                || raw == OptionalDouble.class
                || Arrays.stream(annotated.getAnnotations())
                        .anyMatch(one -> one.annotationType().getSimpleName().equals("Nullable"));
    }

    private static Map<String, @Nullable Object> array(Map<String, @Nullable Object> items) {
        return Map.of("type", "array", "items", items);
    }

    private static void allowNull(Map<String, @Nullable Object> schema) {
        if (schema.get("type") instanceof String type) {
            schema.put("type", List.of(type, "null"));
        }
        if (schema.get("enum") instanceof List<?> constants) {
            List<@Nullable Object> withNull = new ArrayList<>(constants);
            withNull.add(null);
            schema.put("enum", withNull);
        }
    }
}
