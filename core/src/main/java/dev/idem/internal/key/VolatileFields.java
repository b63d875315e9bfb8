package dev.idem.internal.key;

import dev.idem.internal.json.CanonicalJson;
import dev.idem.internal.json.JsonValues;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds fields of an identity that look as if they change with every try: a key derived from them would protect
 * nothing.
 *
 * <p>Three kinds are reported. Names that mean "this try" ({@code timestamp}, {@code nonce}, {@code request_id},
 * {@code tool_call_id}), whatever they hold. Names that merely suggest time, or a bare id, where the value is a present
 * moment or a random UUID: {@code "time": 1767225600000} is reported, {@code "time": "09:30"} is not. And the ids that
 * models give to tool calls, under any name. A UUID under a name of its own, such as {@code customer_id}, is a good
 * identity and passes.
 */
public final class VolatileFields {
    private static final Pattern PLAIN_NAME = Pattern.compile("[0-9A-Za-z_-]+");
    private static final Pattern RANDOM_UUID = Pattern.compile(
            "[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", Pattern.CASE_INSENSITIVE);
    private static final Pattern TOOL_CALL_ID = Pattern.compile("(toolu_|call_)[0-9A-Za-z]{20,}");

    private static final long YEAR_2020 = 1_577_836_800L;
    private static final long YEAR_2100 = 4_102_444_800L;
    private static final int LONGEST_NAME = 64;

    private final List<String> warnings = new ArrayList<>();

    private VolatileFields() {}

    /**
     * One warning for each suspicious field, with its path; empty if there is none.
     *
     * @throws dev.idem.JsonException if the identity has no JSON form
     */
    public static List<String> warnings(@Nullable Object identity) {
        return ofPlain(JsonValues.of(identity));
    }

    static List<String> ofPlain(@Nullable Object plain) {
        VolatileFields fields = new VolatileFields();
        fields.visit("$", plain);
        return List.copyOf(fields.warnings);
    }

    private void visit(String path, @Nullable Object value) {
        if (value instanceof Map<?, ?> members) {
            members.forEach((name, member) -> field(path, (String) name, member));
        } else if (value instanceof List<?> elements) {
            for (int i = 0; i < elements.size(); i++) {
                Object element = elements.get(i);
                if (element instanceof Map<?, ?> || element instanceof List<?>) {
                    visit(path + "[" + i + "]", element);
                }
            }
        }
    }

    private void field(String path, String name, @Nullable Object value) {
        // Classes first: a failing check against an interface is slow.
        boolean scalar = value instanceof String || value instanceof Number || value instanceof Boolean;
        if (!scalar && (value instanceof Map<?, ?> || value instanceof List<?>)) {
            visit(path + step(name), value);
            return;
        }
        String reason = value == null || name.length() > LONGEST_NAME ? null : suspicion(NameKind.of(name), value);
        if (reason != null) {
            warnings.add(path + step(name) + " " + reason
                    + ", so a retry would get another key; leave it out of the identity, or give a key");
        }
    }

    private static String step(String name) {
        return PLAIN_NAME.matcher(name).matches() ? "." + name : "[" + CanonicalJson.of(name) + "]";
    }

    private static @Nullable String suspicion(NameKind name, Object value) {
        if (name == NameKind.ONE_TRY) {
            return "is named for something that changes with every try";
        }
        if (value instanceof String text) {
            if (text.length() > 20 && TOOL_CALL_ID.matcher(text).matches()) {
                return "is a model's id of one tool call, which changes when the model plans again";
            }
            if (text.length() == 36
                    && name == NameKind.BARE_ID
                    && RANDOM_UUID.matcher(text).matches()) {
                return "holds a random UUID, which may be new with every try";
            }
        }
        if (name == NameKind.TIME && isPresentMoment(value)) {
            return "holds a moment to the second, which may be the time of the try";
        }
        return null;
    }

    private static boolean isPresentMoment(Object value) {
        if (value instanceof Number number) {
            double seconds = number.doubleValue();
            return seconds >= YEAR_2020 && isPresentInSomeUnit(seconds);
        }
        return value instanceof String text && isClockReading(text);
    }

    private static boolean isPresentInSomeUnit(double number) {
        return isPresent(number) || isPresent(number / 1e3) || isPresent(number / 1e6) || isPresent(number / 1e9);
    }

    private static boolean isPresent(double seconds) {
        return seconds >= YEAR_2020 && seconds < YEAR_2100;
    }

    /** A full timestamp; one at a whole minute is more likely an appointment than a reading of the clock. */
    private static boolean isClockReading(String text) {
        if (text.length() < 17 || text.charAt(4) != '-' || text.charAt(10) != 'T') {
            return false;
        }
        try {
            Instant instant = OffsetDateTime.parse(text).toInstant();
            boolean wholeMinute = instant.getEpochSecond() % 60 == 0 && instant.getNano() == 0;
            return !wholeMinute && isPresent((double) instant.getEpochSecond());
        } catch (DateTimeException e) {
            return false;
        }
    }
}
