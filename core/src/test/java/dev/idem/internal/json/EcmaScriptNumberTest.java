package dev.idem.internal.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EcmaScriptNumberTest {
    private static final BigDecimal TWO = BigDecimal.valueOf(2);

    /** The samples of RFC 8785, appendix B. */
    @ParameterizedTest
    @CsvSource(textBlock = """
                    0000000000000000, 0
                    8000000000000000, 0
                    0000000000000001, 5e-324
                    8000000000000001, -5e-324
                    7fefffffffffffff, 1.7976931348623157e+308
                    ffefffffffffffff, -1.7976931348623157e+308
                    4340000000000000, 9007199254740992
                    c340000000000000, -9007199254740992
                    4430000000000000, 295147905179352830000
                    44b52d02c7e14af5, 9.999999999999997e+22
                    44b52d02c7e14af6, 1e+23
                    44b52d02c7e14af7, 1.0000000000000001e+23
                    444b1ae4d6e2ef4e, 999999999999999700000
                    444b1ae4d6e2ef4f, 999999999999999900000
                    444b1ae4d6e2ef50, 1e+21
                    3eb0c6f7a0b5ed8c, 9.999999999999997e-7
                    3eb0c6f7a0b5ed8d, 0.000001
                    41b3de4355555553, 333333333.3333332
                    41b3de4355555554, 333333333.33333325
                    41b3de4355555555, 333333333.3333333
                    41b3de4355555556, 333333333.3333334
                    41b3de4355555557, 333333333.33333343
                    becbf647612f3696, -0.0000033333333333333333
                    43143ff3c1cb0959, 1424953923781206.2
                    """)
    void writesThePublishedSamples(String bits, String expected) {
        double value = Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16));

        assertThat(CanonicalJson.of(value)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "1.0, 1",
        "-1.5, -1.5",
        "0.1, 0.1",
        "99.99, 99.99",
        "100, 100",
        "1e-7, 1e-7",
        "1.5e-7, 1.5e-7",
        "123456e-12, 1.23456e-7",
        "1e20, 100000000000000000000",
        "1.5e300, 1.5e+300",
        "2e-3, 0.002",
        "2.2250738585072014E-308, 2.2250738585072014e-308",
        "2.0E-323, 2e-323",
        "0.30000000000000004, 0.30000000000000004",
        // A power of two, where the neighbour below is nearer: only a decimal above is short enough.
        "5.684341886080802e-14, 5.684341886080802e-14",
        "9.5367431640625e-7, 9.5367431640625e-7",
        "1.1754943508222875e-38, 1.1754943508222875e-38"
    })
    void writesKnownNumbers(double value, String expected) {
        assertThat(CanonicalJson.of(value)).isEqualTo(expected);
    }

    @Test
    void readsBackAndIsTheShortestAndOfThoseTheClosest() {
        Seeded.times(20_000, random -> {
            double value = Math.abs(RandomJson.number(random));
            BigDecimal written = new BigDecimal(CanonicalJson.of(value));

            assertThat(written.doubleValue()).isEqualTo(value);
            assertThat(written).isEqualByComparingTo(shortest(value));
        });
    }

    @Test
    void writesTheSameForANumberAndItsNegative() {
        Seeded.times(10_000, random -> {
            double value = Math.abs(RandomJson.number(random));
            assertThat(CanonicalJson.of(-value)).isEqualTo(value == 0 ? "0" : "-" + CanonicalJson.of(value));
        });
    }

    /** Before 19 the platform's own digits are not always the shortest. */
    @Test
    @EnabledForJreRange(min = JRE.JAVA_19)
    void hasTheDigitsOfThePlatformWhereThoseAreTheShortest() {
        Seeded.times(500_000, random -> {
            double value = RandomJson.number(random);
            BigDecimal written = new BigDecimal(CanonicalJson.of(value)).stripTrailingZeros();
            // The platform writes at least two digits, and then takes the closest of two.
            if (written.precision() > 1) {
                assertThat(written).isEqualByComparingTo(new BigDecimal(Double.toString(value)));
            }
        });
    }

    @Test
    void treatsAFloatAsTheDecimalItPrintsShortest() {
        assertThat(CanonicalJson.of(0.1f)).isEqualTo("0.1");
        assertThat(CanonicalJson.of(-3.4028235e38f)).isEqualTo("-3.4028235e+38");
        assertThat(CanonicalJson.of(1.4e-45f)).isEqualTo("1e-45");
        assertThat(CanonicalJson.of(16777216f)).isEqualTo("16777216");
        assertThat(CanonicalJson.of(33554432f)).isEqualTo("33554432");
        assertThat(CanonicalJson.of(-0f)).isEqualTo("0");
        Seeded.times(20_000, random -> {
            float value = Float.intBitsToFloat(random.nextInt());
            if (Float.isFinite(value)) {
                assertThat(Float.parseFloat(CanonicalJson.of(value))).isEqualTo(value == 0 ? 0f : value);
            }
        });
    }

    /** Finds the shortest decimal from the exact bounds of what rounds to the value, without ever parsing. */
    private static BigDecimal shortest(double value) {
        if (value == 0) {
            return BigDecimal.ZERO;
        }
        BigDecimal exact = new BigDecimal(value);
        double next = Math.nextUp(value);
        BigDecimal above = Double.isInfinite(next) ? exact.add(new BigDecimal(Math.ulp(value))) : new BigDecimal(next);
        BigDecimal low = exact.add(new BigDecimal(Math.nextDown(value))).divide(TWO);
        BigDecimal high = exact.add(above).divide(TWO);
        boolean even = (Double.doubleToLongBits(value) & 1) == 0;
        int point = exact.precision() - exact.scale();
        for (int digits = 1; ; digits++) {
            int scale = digits - point;
            BigDecimal unit = BigDecimal.ONE.scaleByPowerOfTen(-scale);
            BigDecimal least = low.setScale(scale, RoundingMode.CEILING);
            BigDecimal most = high.setScale(scale, RoundingMode.FLOOR);
            if (!even && least.compareTo(low) == 0) {
                least = least.add(unit);
            }
            if (!even && most.compareTo(high) == 0) {
                most = most.subtract(unit);
            }
            if (least.compareTo(most) <= 0) {
                return exact.setScale(scale, RoundingMode.HALF_EVEN).max(least).min(most);
            }
        }
    }
}
