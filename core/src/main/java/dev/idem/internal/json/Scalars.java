package dev.idem.internal.json;

import dev.idem.JsonException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZonedDateTime;
import java.util.Base64;
import java.util.Currency;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The encodings of values that are one JSON string or number. */
final class Scalars {
    private static final int MAX_BITS = 3322;

    /** Final classes whose {@code toString()} is specified, one text for each value, and read back by a factory. */
    private static final Set<Class<?>> WRITTEN_AS_TO_STRING = Set.of(
            UUID.class,
            URI.class,
            Currency.class,
            Instant.class,
            LocalDate.class,
            LocalTime.class,
            LocalDateTime.class,
            OffsetDateTime.class,
            ZonedDateTime.class,
            Duration.class,
            Period.class);

    private Scalars() {}

    /** The string that stands for the value, or null where it is not written as a string. */
    static @Nullable String text(Object value) {
        if (value instanceof CharSequence || value instanceof Character) {
            return value.toString();
        }
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        if (WRITTEN_AS_TO_STRING.contains(value.getClass())) {
            return value.toString();
        }
        if (value instanceof byte[] bytes) {
            return Base64.getEncoder().encodeToString(bytes);
        }
        if (value instanceof char[] chars) {
            return new String(chars);
        }
        return null;
    }

    /** One of {@code Long}, {@code BigInteger}, {@code BigDecimal} or a finite {@code Double}. */
    static Number number(Number number, JsonPath path) {
        if (number instanceof Long) {
            return number;
        }
        if (number instanceof Integer || number instanceof Short || number instanceof Byte) {
            return number.longValue();
        }
        if (number instanceof Double binary) {
            return finite(binary, path);
        }
        if (number instanceof Float binary) {
            return shortest(binary, path);
        }
        // Subclasses could return anything, so the two non-final classes must match exactly.
        if (number.getClass() == BigInteger.class) {
            return limited((BigInteger) number, path);
        }
        if (number.getClass() == BigDecimal.class) {
            return limited((BigDecimal) number, path);
        }
        throw unlisted(number, path);
    }

    static @Nullable Object primitiveOptional(Object value, JsonPath path) {
        if (value instanceof OptionalInt optional) {
            return optional.isPresent() ? (Long) (long) optional.getAsInt() : null;
        }
        if (value instanceof OptionalLong optional) {
            return optional.isPresent() ? (Long) optional.getAsLong() : null;
        }
        if (value instanceof OptionalDouble optional) {
            return optional.isPresent() ? (Double) finite(optional.getAsDouble(), path) : null;
        }
        throw unlisted(value, path);
    }

    private static double finite(double value, JsonPath path) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            throw path.error(value + " is no JSON number; use null or a string");
        }
        return value;
    }

    private static double shortest(float value, JsonPath path) {
        finite(value, path);
        if (value == Math.rint(value) && Math.abs(value) < 1 << 24) {
            return value;
        }
        ShortestDecimal shortest = ShortestDecimal.of(Math.abs(value));
        double decimal = Double.parseDouble(shortest.digits() + "E" + shortest.exponent());
        return value < 0 ? -decimal : decimal;
    }

    private static Number limited(BigInteger value, JsonPath path) {
        if (value.bitLength() < Long.SIZE) {
            return value.longValue();
        }
        if (value.bitLength() > MAX_BITS) {
            throw path.error("an integer of " + value.bitLength() + " bits; at most " + NumberText.MAX_DIGITS
                    + " digits have a JSON form, use a string");
        }
        return value;
    }

    private static BigDecimal limited(BigDecimal value, JsonPath path) {
        if (value.precision() > NumberText.MAX_DIGITS || Math.abs((long) value.scale()) > NumberText.MAX_DIGITS) {
            throw path.error("a decimal of precision " + value.precision() + " and scale " + value.scale()
                    + "; both may be at most " + NumberText.MAX_DIGITS + ", round it or use a string");
        }
        return value;
    }

    private static JsonException unlisted(Object value, JsonPath path) {
        return path.error(
                value.getClass().getName() + " has no JSON form here; use a record, a Map, or convert it to a string");
    }
}
