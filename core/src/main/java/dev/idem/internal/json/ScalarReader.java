package dev.idem.internal.json;

import dev.idem.Json;
import dev.idem.JsonException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Currency;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the values that are one JSON string, number or boolean: the reverse of {@link Scalars}. */
final class ScalarReader {
    private static final Map<Class<?>, Function<String, Object>> FROM_STRING = Map.ofEntries(
            Map.entry(String.class, text -> text),
            Map.entry(CharSequence.class, text -> text),
            Map.entry(char.class, ScalarReader::character),
            Map.entry(Character.class, ScalarReader::character),
            Map.entry(char[].class, String::toCharArray),
            Map.entry(byte[].class, text -> Base64.getDecoder().decode(text)),
            Map.entry(UUID.class, ScalarReader::uuid),
            Map.entry(URI.class, URI::create),
            Map.entry(Currency.class, Currency::getInstance),
            Map.entry(Instant.class, Instant::parse),
            Map.entry(LocalDate.class, LocalDate::parse),
            Map.entry(LocalTime.class, LocalTime::parse),
            Map.entry(LocalDateTime.class, LocalDateTime::parse),
            Map.entry(OffsetDateTime.class, OffsetDateTime::parse),
            Map.entry(ZonedDateTime.class, ZonedDateTime::parse),
            Map.entry(Duration.class, Duration::parse),
            Map.entry(Period.class, Period::parse));

    private static final Map<Class<?>, Function<BigDecimal, Object>> FROM_NUMBER = Map.ofEntries(
            Map.entry(byte.class, BigDecimal::byteValueExact),
            Map.entry(Byte.class, BigDecimal::byteValueExact),
            Map.entry(short.class, BigDecimal::shortValueExact),
            Map.entry(Short.class, BigDecimal::shortValueExact),
            Map.entry(int.class, BigDecimal::intValueExact),
            Map.entry(Integer.class, BigDecimal::intValueExact),
            Map.entry(long.class, BigDecimal::longValueExact),
            Map.entry(Long.class, BigDecimal::longValueExact),
            Map.entry(BigInteger.class, BigDecimal::toBigIntegerExact),
            Map.entry(BigDecimal.class, number -> number),
            Map.entry(float.class, ScalarReader::toFloat),
            Map.entry(Float.class, ScalarReader::toFloat),
            Map.entry(double.class, ScalarReader::toDouble),
            Map.entry(Double.class, ScalarReader::toDouble));

    private ScalarReader() {}

    static Object read(Object json, Class<?> type, JsonPath path) {
        if (type == boolean.class || type == Boolean.class) {
            if (json instanceof Boolean) {
                return json;
            }
            throw mismatch(json, type, path);
        }
        Object value = null;
        if (json instanceof Number number) {
            value = type == Number.class ? plain(number) : fromNumber(number, type, path);
        } else if (json instanceof String text) {
            value = fromString(text, type, path);
        }
        if (value != null) {
            return value;
        }
        throw isListed(type) ? mismatch(json, type, path) : unlisted(type, path);
    }

    /** A map's key, which is a string in JSON whatever its type. */
    static Object key(String name, Class<?> type, JsonPath path) {
        Function<BigDecimal, Object> reader = FROM_NUMBER.get(type);
        if (reader != null) {
            try {
                return reader.apply(new BigDecimal(name));
            } catch (ArithmeticException | NumberFormatException e) {
                throw path.error("the name is no " + type.getSimpleName(), e);
            }
        }
        if (type == Boolean.class && (name.equals("true") || name.equals("false"))) {
            return Boolean.valueOf(name);
        }
        return read(name, type, path);
    }

    /** The value for a target that takes any: as {@link Json#parse(String)} would have given it, in fresh containers. */
    static @Nullable Object plain(@Nullable Object json) {
        if (json instanceof Map<?, ?> members) {
            Map<Object, @Nullable Object> copy = new LinkedHashMap<>();
            for (Map.Entry<?, ?> member : members.entrySet()) {
                copy.put(member.getKey(), plain(member.getValue()));
            }
            return copy;
        }
        if (json instanceof List<?> elements) {
            List<@Nullable Object> copy = new ArrayList<>(elements.size());
            for (Object element : elements) {
                copy.add(plain(element));
            }
            return copy;
        }
        if (json instanceof BigDecimal decimal) {
            double nearest = decimal.doubleValue();
            boolean same =
                    Double.isFinite(nearest) && new BigDecimal(NumberText.ecmaScript(nearest)).compareTo(decimal) == 0;
            return same ? (Number) nearest : decimal;
        }
        return json;
    }

    static JsonException mismatch(Object json, Class<?> type, JsonPath path) {
        return path.error("expected " + type.getTypeName() + " but found " + described(json));
    }

    private static @Nullable Object fromNumber(Number number, Class<?> type, JsonPath path) {
        Function<BigDecimal, Object> reader = FROM_NUMBER.get(type);
        if (reader == null) {
            return null;
        }
        try {
            return reader.apply(new BigDecimal(NumberText.faithful(number)));
        } catch (ArithmeticException e) {
            throw path.error("the number " + described(number) + " does not fit into " + type.getTypeName(), e);
        }
    }

    private static @Nullable Object fromString(String text, Class<?> type, JsonPath path) {
        if (type.isEnum()) {
            return constant(text, type, path);
        }
        Function<String, Object> reader = FROM_STRING.get(type);
        if (reader == null) {
            return null;
        }
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw path.error("expected " + type.getTypeName() + " but found " + described(text), e);
        }
    }

    private static Object constant(String name, Class<?> type, JsonPath path) {
        for (Object constant : type.getEnumConstants()) {
            if (((Enum<?>) constant).name().equals(name)) {
                return constant;
            }
        }
        throw path.error(type.getTypeName() + " has no constant " + described(name));
    }

    private static Character character(String text) {
        if (text.length() != 1) {
            throw new IllegalArgumentException("a string of length " + text.length());
        }
        return text.charAt(0);
    }

    private static UUID uuid(String text) {
        UUID uuid = UUID.fromString(text);
        // UUID.fromString also reads shortened forms such as 1-1-1-1-1.
        if (text.length() != 36) {
            throw new IllegalArgumentException("a UUID has 36 characters");
        }
        return uuid;
    }

    private static Float toFloat(BigDecimal number) {
        float value = Float.parseFloat(number.toString());
        if (Float.isInfinite(value)) {
            throw new ArithmeticException("beyond the range of a float");
        }
        return value;
    }

    private static Double toDouble(BigDecimal number) {
        double value = number.doubleValue();
        if (Double.isInfinite(value)) {
            throw new ArithmeticException("beyond the range of a double");
        }
        return value;
    }

    static boolean isListed(Class<?> type) {
        return FROM_STRING.containsKey(type) || FROM_NUMBER.containsKey(type) || type == Number.class || type.isEnum();
    }

    private static JsonException unlisted(Class<?> type, JsonPath path) {
        return path.error("can't read a " + type.getTypeName()
                + " from JSON; use a record, a Map or another listed type, or register a codec of your own");
    }

    private static String described(Object json) {
        if (json instanceof String text) {
            return "the string \"" + (text.length() > 40 ? text.substring(0, 40) + "…" : text) + "\"";
        }
        if (json instanceof Map<?, ?>) {
            return "an object";
        }
        if (json instanceof List<?>) {
            return "an array";
        }
        String text = String.valueOf(json);
        return text.length() > 40 ? text.substring(0, 40) + "…" : text;
    }
}
