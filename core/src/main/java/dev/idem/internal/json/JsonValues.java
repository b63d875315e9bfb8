package dev.idem.internal.json;

import dev.idem.JsonException;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The listed encodings from Java values to plain JSON values.
 *
 * <table>
 * <caption>Encodings</caption>
 * <tr><th>Java</th><th>JSON</th></tr>
 * <tr><td>null, an empty {@code Optional}, {@code OptionalInt}, …</td><td>null</td></tr>
 * <tr><td>{@code Boolean}, {@code CharSequence}, {@code Character}, {@code char[]}</td><td>boolean, string</td></tr>
 * <tr><td>{@code Byte}, {@code Short}, {@code Integer}, {@code Long}, {@code BigInteger}, {@code BigDecimal}</td>
 * <td>number, exact, at most 1000 digits</td></tr>
 * <tr><td>{@code Double}, {@code Float}</td><td>number; a float is the decimal it prints shortest</td></tr>
 * <tr><td>an enum</td><td>its {@code name()}</td></tr>
 * <tr><td>a record</td><td>an object of its components, in order</td></tr>
 * <tr><td>{@code Map} whose keys are strings or other scalars of this table</td><td>an object</td></tr>
 * <tr><td>{@code Set}</td><td>an array, sorted by the elements' canonical forms, as a set has no order</td></tr>
 * <tr><td>any other {@code Collection}, an array</td><td>an array, in order</td></tr>
 * <tr><td>{@code byte[]}</td><td>a string in base64</td></tr>
 * <tr><td>{@code UUID}, {@code URI}, {@code Currency}, {@code Instant}, {@code LocalDate}, {@code LocalTime},
 * {@code LocalDateTime}, {@code OffsetDateTime}, {@code ZonedDateTime}, {@code Duration}, {@code Period}</td>
 * <td>a string in the standard (ISO) form</td></tr>
 * </table>
 *
 * <p>Any other type is an error, never its {@code toString()}.
 */
public final class JsonValues {
    private final JsonPath path = new JsonPath();

    private JsonValues() {}

    /**
     * The plain JSON value of a Java value: {@code Map<String, Object>} and {@code List<Object>}, both unmodifiable,
     * {@code String}, {@code Boolean}, {@code Long}, {@code BigInteger}, {@code BigDecimal}, {@code Double} or null.
     *
     * @throws JsonException if the value, or something in it, has no JSON form; the message names the place
     */
    public static @Nullable Object of(@Nullable Object value) {
        return new JsonValues().plain(value);
    }

    private @Nullable Object plain(@Nullable Object value) {
        if (value == null || value instanceof Boolean) {
            return value;
        }
        if (value instanceof String text) {
            return checked(text);
        }
        if (value instanceof Number number) {
            return Scalars.number(number, path);
        }
        if (value instanceof Map<?, ?> map) {
            return object(map);
        }
        if (value instanceof Collection<?> collection) {
            return array(collection);
        }
        if (value instanceof Record record) {
            return object(record);
        }
        if (value instanceof Optional<?> optional) {
            return plain(optional.orElse(null));
        }
        String scalar = Scalars.text(value);
        if (scalar != null) {
            return checked(scalar);
        }
        if (value.getClass().isArray()) {
            return array(elements(value));
        }
        return Scalars.primitiveOptional(value, path);
    }

    private Map<String, @Nullable Object> object(Map<?, ?> map) {
        descend();
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            add(members, name(entry.getKey()), entry::getValue);
        }
        path.ascend();
        return Collections.unmodifiableMap(members);
    }

    private Map<String, @Nullable Object> object(Record record) {
        descend();
        RecordShape shape = RecordShape.of(record.getClass());
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        for (int i = 0; i < shape.size(); i++) {
            int component = i;
            add(members, shape.name(i), () -> shape.read(record, component, path));
        }
        path.ascend();
        return Collections.unmodifiableMap(members);
    }

    private void add(Map<String, @Nullable Object> members, String name, Supplier<@Nullable Object> value) {
        path.at(name);
        checked(name);
        if (members.containsKey(name)) {
            throw path.error("two keys of the map have this same name in JSON; keep one");
        }
        members.put(name, plain(value.get()));
    }

    private List<@Nullable Object> array(Collection<?> collection) {
        descend();
        List<@Nullable Object> elements = new ArrayList<>(collection.size());
        for (Object element : collection) {
            path.at(elements.size());
            elements.add(plain(element));
        }
        path.ascend();
        if (collection instanceof Set<?> && elements.size() > 1) {
            elements.sort(Comparator.comparing(CanonicalJson::ofPlain));
        }
        return Collections.unmodifiableList(elements);
    }

    private static List<?> elements(Object array) {
        if (array instanceof Object[] objects) {
            return Arrays.asList(objects);
        }
        List<Object> boxed = new ArrayList<>();
        for (int i = 0; i < Array.getLength(array); i++) {
            boxed.add(Array.get(array, i));
        }
        return boxed;
    }

    private String name(@Nullable Object key) {
        if (key instanceof String text) {
            return text;
        }
        if (key == null) {
            throw path.error("a map has a null key; names in JSON are strings");
        }
        if (key instanceof Number number) {
            return NumberText.canonical(Scalars.number(number, path));
        }
        String scalar = key instanceof Boolean ? key.toString() : Scalars.text(key);
        if (scalar == null) {
            throw path.error("a map has a key of " + key.getClass().getName()
                    + ", which has no JSON name; use strings, enums or numbers as keys");
        }
        return scalar;
    }

    private String checked(String text) {
        int lone = Utf8.loneSurrogate(text);
        if (lone >= 0) {
            throw path.error(String.format(
                    "lone surrogate \\u%04x at index %d of the string; it is half of a character, give the whole",
                    (int) text.charAt(lone), lone));
        }
        return text;
    }

    private void descend() {
        if (!path.descend()) {
            throw path.tooDeep();
        }
    }
}
