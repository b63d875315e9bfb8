package dev.idem.internal.wire;

import dev.idem.internal.ledger.TimeText;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Fence;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The records of the SPI as JSON, and back. An object has a member for each component of the record, in snake case; one
 * that is null is left out. A case of a sealed type has its name in the member {@code kind}. The declared types alone
 * decide what is made: data can only choose among the cases of a sealed type.
 *
 * <p>Nothing is rounded: times and durations are ISO 8601 texts, fences and attempt ids are texts, bytes are base64. Half
 * a surrogate pair, which JSON can't have, becomes a question mark.
 */
public final class RecordJson {
    private static final String KIND = "kind";

    private final boolean strict;

    private RecordJson(boolean strict) {
        this.strict = strict;
    }

    /** The plain JSON value of a record, or of a case of a sealed type. */
    public static Map<String, @Nullable Object> write(Object value) {
        RecordParts parts = RecordParts.of(value.getClass());
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        if (parts.isCase()) {
            members.put(KIND, parts.word());
        }
        for (int i = 0; i < parts.size(); i++) {
            Object part = parts.get(value, i);
            if (part != null) {
                members.put(parts.name(i), plain(part));
            }
        }
        return members;
    }

    private static Object plain(Object value) {
        if (value instanceof Fence || value instanceof AttemptId) {
            return value.toString();
        } else if (value instanceof Record) {
            return write(value);
        } else if (value instanceof byte[] bytes) {
            return Base64.getEncoder().encodeToString(bytes);
        } else if (value instanceof Integer number) {
            return number.longValue();
        } else if (value instanceof Collection<?> all) {
            return all.stream().map(RecordJson::plain).toList();
        } else if (value instanceof Map<?, ?> map) {
            Map<String, Object> members = new LinkedHashMap<>();
            map.forEach((name, each) -> members.put(whole((String) plain(name)), plain(each)));
            return members;
        } else if (value instanceof Enum<?> constant) {
            return RecordParts.word(constant);
        }
        return value instanceof Long || value instanceof Boolean ? value : value.toString();
    }

    /** Names that differ only in half a surrogate pair become one. */
    private static String whole(String name) {
        return new String(name.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    /**
     * Reads a record, or a case of a sealed type. Members that it does not have are ignored.
     *
     * @throws IllegalArgumentException if the JSON is something else; the message names the member
     */
    public static <T> T read(@Nullable Object json, Class<T> type) {
        return type.cast(new RecordJson(false).value(json, type));
    }

    /** Reads it from a request: members that it does not have are refused, since they may restrict what is asked. */
    public static <T> T readStrictly(@Nullable Object json, Class<T> type) {
        return type.cast(new RecordJson(true).value(json, type));
    }

    private Object value(@Nullable Object json, Type type) {
        if (type instanceof ParameterizedType generic) {
            Type[] of = generic.getActualTypeArguments();
            if (generic.getRawType() == Map.class) {
                return map(expect(Map.class, json), of[0], of[1]);
            }
            List<Object> all = list(expect(List.class, json), of[0]);
            return generic.getRawType() == Set.class ? Set.copyOf(all) : all;
        }
        Class<?> wanted = (Class<?>) type;
        if (wanted == Fence.class) {
            return new Fence(Long.parseLong(expect(String.class, json)));
        } else if (wanted == AttemptId.class) {
            return AttemptId.parse(expect(String.class, json));
        } else if (wanted.isSealed()) {
            Map<?, ?> members = expect(Map.class, json);
            return record(members, RecordParts.caseOf(wanted, expect(String.class, members.get(KIND))));
        } else if (wanted.isRecord()) {
            return record(expect(Map.class, json), RecordParts.of(wanted));
        } else if (wanted.isEnum()) {
            return RecordParts.constant(wanted, expect(String.class, json));
        } else if (wanted == Instant.class) {
            return TimeText.instant(expect(String.class, json));
        } else if (wanted == Duration.class) {
            return Duration.parse(expect(String.class, json));
        } else if (wanted == byte[].class) {
            return Base64.getDecoder().decode(expect(String.class, json));
        } else if (wanted == int.class) {
            return Math.toIntExact(expect(Long.class, json));
        }
        Class<?> boxed = wanted == long.class ? Long.class : wanted == boolean.class ? Boolean.class : wanted;
        return expect(boxed, json);
    }

    private Object record(Map<?, ?> members, RecordParts parts) {
        @Nullable Object[] made = new Object[parts.size()];
        for (int i = 0; i < made.length; i++) {
            Object member = members.get(parts.name(i));
            if (member == null && !parts.isOptional(i)) {
                throw new IllegalArgumentException("'" + parts.name(i) + "' of the " + parts.word() + " is missing");
            } else if (member != null) {
                made[i] = member(member, parts, i);
            }
        }
        if (strict) {
            members.forEach((name, member) -> {
                if (member != null && !parts.has((String) name) && !(parts.isCase() && name.equals(KIND))) {
                    throw new IllegalArgumentException("'" + name + "' of the " + parts.word() + " is not known here");
                }
            });
        }
        return parts.make(made);
    }

    private Object member(Object json, RecordParts parts, int index) {
        try {
            return value(json, parts.type(index));
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("in '" + parts.name(index) + "': " + e.getMessage(), e);
        }
    }

    private List<Object> list(List<?> json, Type of) {
        List<Object> all = new ArrayList<>();
        json.forEach(each -> all.add(value(each, of)));
        return all;
    }

    private Map<Object, Object> map(Map<?, ?> json, Type names, Type of) {
        Map<Object, Object> map = new LinkedHashMap<>();
        json.forEach((name, each) -> map.put(value(name, names), value(each, of)));
        return map;
    }

    private static <T> T expect(Class<T> type, @Nullable Object json) {
        if (!type.isInstance(json)) {
            throw new IllegalArgumentException("a " + RecordParts.word(type) + " was expected");
        }
        return type.cast(json);
    }
}
