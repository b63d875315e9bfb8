package dev.idem.internal.json;

import java.math.BigDecimal;
import java.math.BigInteger;

/** Writes numbers: doubles in ECMAScript's form, numbers that a double can't hold digit by digit. */
final class NumberText {
    static final int MAX_DIGITS = 1000;

    /** A canonical text that is longer is written digit for digit, and may be much longer than what was read. */
    private static final int LONGEST_OF_A_DOUBLE = 25;

    private static final double TWO_TO_53 = 9007199254740992.0;
    private static final BigInteger PLAIN_IN_ECMASCRIPT = BigInteger.TEN.pow(21);

    private NumberText() {}

    /** The canonical form of a number as {@link JsonValues} gives it. */
    static String canonical(Number number) {
        if (number instanceof Double binary) {
            return ecmaScript(binary);
        }
        if (number instanceof BigDecimal decimal) {
            return canonical(decimal);
        }
        if (number instanceof BigInteger integer && integer.abs().compareTo(PLAIN_IN_ECMASCRIPT) >= 0) {
            return canonical(new BigDecimal(integer));
        }
        return number.toString();
    }

    /** How many characters of a canonical form, written digit for digit, are none of the number's significant digits. */
    static int filling(Number number, String canonical) {
        if (canonical.length() <= LONGEST_OF_A_DOUBLE) {
            return 0;
        }
        BigDecimal decimal = number instanceof BigInteger integer ? new BigDecimal(integer) : (BigDecimal) number;
        return canonical.length() - decimal.stripTrailingZeros().precision();
    }

    /** A form that reads back as the same kind of number: 1.0 stays a fraction, 1.50 keeps its zero. */
    static String faithful(Number number) {
        if (number instanceof Double binary) {
            String text = ecmaScript(binary);
            boolean looksInteger = text.indexOf('.') < 0 && text.indexOf('e') < 0;
            return binary == 0 && 1 / binary < 0 ? "-0.0" : looksInteger ? text + ".0" : text;
        }
        return number.toString();
    }

    /** ECMAScript's {@code Number::toString} of a finite double. */
    static String ecmaScript(double value) {
        if (value == Math.rint(value) && Math.abs(value) < TWO_TO_53) {
            return Long.toString((long) value);
        }
        String positive = layOut(ShortestDecimal.of(Math.abs(value)));
        return value < 0 ? "-" + positive : positive;
    }

    private static String canonical(BigDecimal value) {
        double nearest = value.doubleValue();
        if (Double.isFinite(nearest)) {
            String text = ecmaScript(nearest);
            if (new BigDecimal(text).compareTo(value) == 0) {
                return text;
            }
        }
        return value.stripTrailingZeros().toPlainString();
    }

    private static String layOut(ShortestDecimal shortest) {
        long significant = shortest.digits();
        int exponent = shortest.exponent();
        while (significant % 10 == 0) {
            significant /= 10;
            exponent++;
        }
        String digits = Long.toString(significant);
        int point = digits.length() + exponent;
        if (point > 21 || point <= -6) {
            String fraction = digits.length() == 1 ? "" : "." + digits.substring(1);
            return digits.charAt(0) + fraction + (point > 0 ? "e+" : "e-") + Math.abs(point - 1);
        }
        if (point <= 0) {
            return "0." + "0".repeat(-point) + digits;
        }
        if (exponent >= 0) {
            return digits + "0".repeat(exponent);
        }
        return digits.substring(0, point) + "." + digits.substring(point);
    }
}
