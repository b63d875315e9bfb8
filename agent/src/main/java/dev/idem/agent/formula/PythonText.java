package dev.idem.agent.formula;

import dev.idem.internal.json.CanonicalJson;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The common part of Python's {@code json.dumps} and {@code repr}: accepted values, order, and numbers. */
final class PythonText {
    /** Python orders strings by code points, Java by UTF-16 units; they differ beyond U+FFFF. */
    static final Comparator<String> CODE_POINT_ORDER = PythonText::compareCodePoints;

    private PythonText() {}

    /** The members of a dict whose keys are all strings, by key. */
    static List<Map.Entry<String, @Nullable Object>> sorted(Map<?, ?> dict) {
        List<Map.Entry<String, @Nullable Object>> items = items(dict);
        items.sort(Map.Entry.comparingByKey(CODE_POINT_ORDER));
        return items;
    }

    static List<Map.Entry<String, @Nullable Object>> items(Map<?, ?> dict) {
        List<Map.Entry<String, @Nullable Object>> items = new ArrayList<>(dict.size());
        dict.forEach((key, value) -> {
            if (!(key instanceof String name)) {
                throw new IllegalArgumentException("A dict of this formula has string keys only, not " + key);
            }
            // Map.entry takes no nulls.
            items.add(new SimpleImmutableEntry<>(name, value));
        });
        return items;
    }

    /** An int or a float as Python prints it. */
    static String number(Number number) {
        if (number instanceof Double binary) {
            return repr(binary);
        }
        if (number instanceof Long
                || number instanceof Integer
                || number instanceof Short
                || number instanceof Byte
                || number instanceof BigInteger) {
            return number.toString();
        }
        throw unlisted(number);
    }

    static IllegalArgumentException unlisted(Object value) {
        return new IllegalArgumentException("Can't tell how Python would print a "
                + value.getClass().getName()
                + "; give strings, integers, doubles, booleans, null, lists and maps, as a JSON text would hold");
    }

    /** The same digits as ECMAScript's, which are the shortest, but with Python's point and exponent. */
    private static String repr(double value) {
        if (value == 0) {
            return 1 / value < 0 ? "-0.0" : "0.0";
        }
        BigDecimal shortest = new BigDecimal(CanonicalJson.of(value)).stripTrailingZeros();
        int exponent = shortest.precision() - shortest.scale() - 1;
        if (exponent >= -4 && exponent < 16) {
            String plain = shortest.toPlainString();
            return plain.indexOf('.') < 0 ? plain + ".0" : plain;
        }
        String digits = shortest.unscaledValue().abs().toString();
        String fraction = digits.length() == 1 ? "" : "." + digits.substring(1);
        String sign = value < 0 ? "-" : "";
        return String.format(
                "%s%s%se%s%02d", sign, digits.charAt(0), fraction, exponent < 0 ? "-" : "+", Math.abs(exponent));
    }

    private static int compareCodePoints(String a, String b) {
        int shared = Math.min(a.length(), b.length());
        for (int i = 0; i < shared; i++) {
            char left = a.charAt(i);
            char right = b.charAt(i);
            if (left != right) {
                boolean sameKind = Character.isSurrogate(left) == Character.isSurrogate(right);
                return sameKind ? left - right : Character.isSurrogate(left) ? 1 : -1;
            }
        }
        return a.length() - b.length();
    }
}
