package dev.idem.internal.json;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.function.Predicate;

/**
 * The shortest decimal {@code digits × 10^exponent} that reads back as a given positive binary number; among several of
 * that length the closest, and of two equally close the even one, as ECMAScript wants it.
 *
 * <p>{@code Double.toString} does not always give the shortest form before JDK 19.
 */
record ShortestDecimal(long digits, int exponent) {
    private static final int DOUBLE_DIGITS = 17;
    private static final int FLOAT_DIGITS = 9;

    /** The powers of ten that a double holds exactly. */
    private static final double[] EXACT_POWERS = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22
    };

    static ShortestDecimal of(double value) {
        // No two decimals of at most 15 digits read as the same double, and a quotient of two exact doubles is rounded
        // once: the first hit is the answer.
        for (int places = 0; value < 1e15 && places < EXACT_POWERS.length; places++) {
            double scaled = Math.rint(value * EXACT_POWERS[places]);
            if (scaled >= 1e15) {
                return search(new BigDecimal(value), 15, DOUBLE_DIGITS, text -> Double.parseDouble(text) == value);
            }
            if (scaled / EXACT_POWERS[places] == value) {
                return new ShortestDecimal((long) scaled, -places);
            }
        }
        return search(new BigDecimal(value), 0, DOUBLE_DIGITS, text -> Double.parseDouble(text) == value);
    }

    static ShortestDecimal of(float value) {
        return search(new BigDecimal(value), 0, FLOAT_DIGITS, text -> Float.parseFloat(text) == value);
    }

    private static ShortestDecimal search(BigDecimal exact, int tooFew, int enough, Predicate<String> readsBack) {
        int point = exact.precision() - exact.scale();
        long most = exact.setScale(enough - point, RoundingMode.DOWN)
                .unscaledValue()
                .longValueExact();
        int less = tooFew;
        int works = enough;
        // The neighbours with more digits lie between those with fewer: if n digits suffice, n + 1 do too.
        while (works - less > 1) {
            int length = (less + works) / 2;
            long below = most / powerOfTen(enough - length);
            int exponent = point - length;
            if (readsBack.test(text(below, exponent)) || readsBack.test(text(below + 1, exponent))) {
                works = length;
            } else {
                less = length;
            }
        }
        long below = most / powerOfTen(enough - works);
        return closest(exact, below, point - works, readsBack);
    }

    private static ShortestDecimal closest(BigDecimal exact, long below, int exponent, Predicate<String> readsBack) {
        ShortestDecimal down = new ShortestDecimal(below, exponent);
        ShortestDecimal up = new ShortestDecimal(below + 1, exponent);
        if (!readsBack.test(text(below + 1, exponent))) {
            return down;
        }
        if (!readsBack.test(text(below, exponent))) {
            return up;
        }
        int order = exact.subtract(down.value()).compareTo(up.value().subtract(exact));
        return order < 0 || (order == 0 && below % 2 == 0) ? down : up;
    }

    private BigDecimal value() {
        return BigDecimal.valueOf(digits, -exponent);
    }

    private static String text(long digits, int exponent) {
        return digits + "E" + exponent;
    }

    private static long powerOfTen(int exponent) {
        return (long) EXACT_POWERS[exponent];
    }
}
